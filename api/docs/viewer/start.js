// Shows the document that the page names. Nothing is asked from here: the examples of parameters are for one each, and
// would all be sent together. No server outside is asked to check the document.
SwaggerUIBundle({
  url: document.currentScript.dataset.document,
  domNode: document.getElementById("reference"),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  validatorUrl: null,
})
