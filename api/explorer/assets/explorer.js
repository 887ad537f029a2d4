// Without this file every control works as a link or a form. It only follows them without loading a page anew: it fetches the
// same address, puts its main part in place, and pushes the address.

const status = document.getElementById("status");
let asked = 0;

// The icon stays when the address changes, which its link is relative to.
const icon = document.querySelector("link[rel=icon]");
icon.href = icon.href;

// show loads a page and puts it in place. Where that fails the browser goes there itself.
async function show(address, push) {
  const number = ++asked;
  const slow = setTimeout(() => document.documentElement.setAttribute("aria-busy", "true"), 150);
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (number !== asked) return;
    const type = answer.headers.get("Content-Type") || "";
    if (!type.startsWith("text/html")) throw new Error(type);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (number !== asked) return;
    if (push) history.pushState(null, "", answer.url);
    const main = page.getElementById("main");
    document.title = page.title;
    document.getElementById("main").replaceWith(main);
    for (const around of ["header.top", "footer"]) document.querySelector(around).replaceWith(page.querySelector(around)); // their links are relative
    document.documentElement.lang = page.documentElement.lang;
    status.textContent = page.title;
    if (push) {
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  } catch {
    location.assign(address);
  } finally {
    clearTimeout(slow);
    document.documentElement.removeAttribute("aria-busy");
  }
}

// isOurs tells whether a link leads to a page, and not to a file or out of the pages.
function isOurs(link) {
  return link.origin === location.origin && !link.hasAttribute("download") && !link.target && link.closest("main") &&
    /\/explore\//.test(link.pathname);
}

addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !isOurs(link)) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  show(link.href, true);
});

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get" || !form.closest("main")) return;
  event.preventDefault();
  const address = new URL(form.action || location.href, location.href);
  address.search = new URLSearchParams(new FormData(form)).toString();
  show(address.href, true);
});

addEventListener("popstate", () => show(location.href, false));

addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, [role=region]") || event.metaKey || event.ctrlKey || event.altKey) return;
  document.querySelector(`main a[data-key="${event.key}"]`)?.click();
});

// On a narrow screen the controls begin closed.
if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".controls")?.removeAttribute("open");
