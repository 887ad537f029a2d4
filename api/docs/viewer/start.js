// Shows the document that the page names. Nothing is asked from here: the examples of parameters are for one each, and
// would all be sent together. No server outside is asked to check the document.

// readable adapts the viewer to readers who hear the page or use no mouse: no link inside the button that unfolds an
// operation, no list of a single server, headings of every level, landmarks around what is outside of the operations, and no main
// in that of the page.
const readable = () => ({
  afterLoad({ React }) {
    const make = React.createElement;
    React.createElement = (type, ...rest) => make(type === "main" ? "div" : type, ...rest);
  },
  wrapComponents: {
    DeepLink: (_, { React }) => ({ text }) => React.createElement("span", { className: "nostyle" }, text),
    ServersContainer: () => () => null,
    InfoContainer: (Original, { React }) => (props) =>
      React.createElement("section", { "aria-label": "Introduction" }, React.createElement(Original, props),
        React.createElement("h2", { className: "wrapper" }, "Operations")),
    Models: (Original, { React }) => (props) =>
      React.createElement("aside", { "aria-label": "Schemas" }, React.createElement(Original, props)),
  },
});

// amend names the lists of examples, and lets the keyboard scroll examples. The viewer draws them when they are unfolded.
const amend = () => {
  for (const list of document.querySelectorAll("select:not([aria-label])")) {
    const parameter = list.closest("[data-param-name]")?.dataset.paramName;
    list.setAttribute("aria-label", parameter ? `Examples of ${parameter}` : "Media type or example");
  }
  for (const example of document.querySelectorAll(".microlight:not([tabindex])")) {
    example.tabIndex = 0;
  }
};
new MutationObserver(amend).observe(document.documentElement, { childList: true, subtree: true });

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: document.currentScript.dataset.document,
  domNode: document.getElementById("reference"),
  plugins: [readable],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  validatorUrl: null,
})
