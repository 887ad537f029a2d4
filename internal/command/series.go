package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/cube/series"
	"fiscube/store"
	"fiscube/store/load/files"
)

func (p *program) seriesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "series", Short: "List the series of prices and inhabitants, add and remove some",
		Long: `List the series of prices and of inhabitants with which amounts are put in real terms or divided by head: those that come
with fiscube, and before them those that were added. A package may bring its own, which are used before both.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				added, err := s.Series(ctx)
				if err != nil {
					return err
				}
				if added != nil {
					p.printSeries("added", added.Series)
				}
				p.printSeries("built in", series.Built())
				return nil
			})
		},
	}
	cmd.AddCommand(p.addSeriesCommand(), p.removeSeriesCommand())
	return cmd
}

func (p *program) printSeries(from string, list []cube.Series) {
	for _, s := range list {
		first, last := s.Years()
		p.printf("%s %s: %s, %d to %d, %s, %s, %s (%s)\n", s.Name, s.Country, s.Unit, first, last, s.Source, s.Updated, s.License, from)
	}
}

func (p *program) addSeriesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "add FILE", Short: "Add the series of a CSV file for all cubes, in place of those of a file of the same name",
		Long: `Add the series of a CSV file for all cubes, in place of those of a file of the same name. Comments before the header say
where they are from; the columns are country, year, and annual_percent, index or persons:

  # title: Consumer prices, average of the year
  # source: Croatian Bureau of Statistics
  # licence: CC-BY-4.0
  # updated: 2025-07-01
  country,year,index
  HRV,2016,98.9`,
		Example: "  fiscube series add prices.csv",
		Args:    exactly("a CSV file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := readSeries(args[0])
			if err != nil {
				return err
			}
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				if err := s.AddSeries(ctx, list); err != nil {
					return err
				}
				p.printSeries("added", list)
				return nil
			})
		},
	}
}

func readSeries(path string) ([]cube.Series, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = f.Close() }()
	text, err := files.ReadSmall(f, path, series.MostBytes)
	if err != nil {
		return nil, err
	}
	list, err := series.Read(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), text)
	if err != nil {
		return nil, cube.Errorf(cube.CodeBadPackage, "%s", err.Error())
	}
	return list, nil
}

func (p *program) removeSeriesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Remove the series of a file that was added",
		Example: "  fiscube series remove prices",
		Args:    exactly("the name of the file, without its ending"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				if err := s.RemoveSeries(ctx, args[0]); err != nil {
					return err
				}
				p.printf("%s is removed\n", args[0])
				return nil
			})
		},
	}
}
