DROP TABLE fiscube.series;
