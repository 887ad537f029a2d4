// Waits until the page stands still, looks for obstacles, and says what it found to the test that serves the page.
async function settled() {
  let last;
  for (let size = -1; size !== last || !document.querySelector(".opblock"); ) {
    last = document.documentElement.innerHTML.length;
    await new Promise((done) => setTimeout(done, 500));
    size = document.documentElement.innerHTML.length;
  }
}

addEventListener("load", async () => {
  let said = { error: "" };
  try {
    await settled();
    said.dark = matchMedia("(prefers-color-scheme: dark)").matches;
    said.page = document.documentElement.outerHTML;
    // The dark page differs from the light one in its colours alone.
    const { violations, passes } = await axe.run(said.dark ? { runOnly: ["color-contrast"] } : {});
    said.background = getComputedStyle(document.documentElement).backgroundColor;
    said.passes = passes.length;
    said.open = document.querySelectorAll(".opblock.is-open").length;
    said.violations = violations.map(({ id, nodes }) => {
      const places = new Map(nodes.map((n) => [n.any.map((check) => check.message).join(), n.target.join()]));
      return `${id} ${nodes.length}: ` + [...places].map(([message, place]) => `${place}: ${message}`).join("\n  ");
    });
  } catch (e) {
    said.error = String(e);
  }
  fetch("/axe/found", { method: "POST", body: JSON.stringify(said) });
});
