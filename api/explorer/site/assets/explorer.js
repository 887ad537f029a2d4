// Without this file every control works as a link or a form. It follows them without loading a page anew: it fetches the same
// address, puts its main part in place, and pushes the address. The old view stays until the new one is there.

const root = document.documentElement;
const status = document.getElementById("status");
const words = status.dataset; // what is said, in the language of the page
const narrow = matchMedia("(max-width: 60rem)");
let asked = 0; // numbers what is loaded: only the last one counts
let number = null; // the dialog with a number, the view under it, and the link that opened it
let shown = pageOf(location.href); // the address of what is seen
let again = ""; // what was asked once more after waiting

// The icon stays when the address changes, which its link is relative to.
const icon = document.querySelector("link[rel=icon]");
icon.href = icon.href;

// pageOf is an address without a place in its page.
function pageOf(address) {
  return address.split("#")[0];
}

// fetchPage gives a page and its address.
async function fetchPage(address, signal) {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, signal });
  const type = answer.headers.get("Content-Type") || "";
  if (!type.startsWith("text/html")) throw new Error(type);
  return { address: answer.url, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
}

// load fetches a page and uses it, unless another one is asked for meanwhile. What is no page the browser goes to itself.
async function load(address, use) {
  const turn = ++asked;
  let found;
  const slow = setTimeout(() => {
    root.setAttribute("aria-busy", "true");
    status.textContent = words.loading;
  }, 150);
  try {
    found = await fetchPage(address);
  } catch (error) {
    if (turn !== asked) return;
    if (!(error instanceof TypeError)) {
      location.assign(address);
      return;
    }
    const retry = () => turn === asked && load(address, use);
    notice(words.offline, retry);
    addEventListener("online", retry, { once: true });
  } finally {
    clearTimeout(slow);
    if (turn === asked) root.removeAttribute("aria-busy");
  }
  if (!found || turn !== asked) return;
  notice("");
  use(found);
}

// notice says a sentence above the view, with a button that tries again; an empty one is removed.
function notice(text, retry) {
  document.getElementById("notice")?.remove();
  if (!text) return;
  const line = document.createElement("p");
  line.id = "notice";
  line.className = "note stop";
  line.append(text + " ", button(words.again, retry));
  document.getElementById("main").before(line);
  status.textContent = text;
}

function button(text, press) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}

// show puts a page in place. What was chosen in a figure grows into the figure of the new page, which stays where the old one was; a step back
// leads to what was chosen there.
function show(address, push, { chosen, back } = {}) {
  const figure = chosen?.closest("figure");
  if (figure) history.replaceState({ chosen: linkOf(chosen) }, "");
  load(address, ({ address: there, page }) => grow(figure && chosen, () => {
    const top = figure?.getBoundingClientRect().top;
    number?.dialog.remove();
    number = null;
    if (push) history.pushState(null, "", there);
    shown = pageOf(there);
    const main = page.getElementById("main");
    document.title = page.title;
    document.getElementById("main").replaceWith(main);
    for (const around of ["header.top", "footer"]) document.querySelector(around).replaceWith(page.querySelector(around)); // their links are relative
    root.lang = page.documentElement.lang;
    status.textContent = main.querySelector("h1.said")?.textContent ?? page.title; // which says the measure, too
    if (!main.querySelector("[data-retry]")) again = "";
    settle(main);
    const picture = main.querySelector("figure");
    if (back) Array.from(main.querySelectorAll("figure a")).find((link) => linkOf(link) === back)?.focus();
    if (!push) return;
    if (figure && picture) {
      picture.tabIndex = -1;
      picture.focus({ preventScroll: true });
      scrollBy(0, picture.getBoundingClientRect().top - top);
      return;
    }
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
    main.querySelector("[data-found]")?.scrollIntoView({ block: narrow.matches ? "center" : "nearest" }); // what was looked for is among the controls
  }));
}

// linkOf is where a link leads, also that of a drawing.
function linkOf(link) {
  return new URL(link.getAttribute("href"), location.href).href;
}

// grow lets a part of a figure become the figure of what is put in place, where the browser can and the reader wants movement.
function grow(chosen, put) {
  if (!chosen || !document.startViewTransition || matchMedia("(prefers-reduced-motion: reduce)").matches) {
    put();
    return;
  }
  const shape = chosen.querySelector("rect") ?? chosen;
  const at = shape.getBoundingClientRect();
  const part = document.createElement("div"); // a part of a drawing cannot be moved by itself
  part.className = "part";
  for (const side of ["left", "top", "width", "height"]) part.style[side] = `${at[side]}px`;
  part.style.background = getComputedStyle(shape).fill;
  document.body.append(part);
  const name = (element, text) => element?.style.setProperty("view-transition-name", text);
  name(document.querySelector("main figure"), "none");
  name(part, "picture");
  const moving = document.startViewTransition(() => {
    part.remove();
    put();
    name(document.querySelector("main figure"), "picture");
  });
  moving.finished.finally(() => name(document.querySelector("main figure"), ""));
}

// openNumber shows the page of a number above the view. Its address is pushed too, so Back closes it.
function openNumber(link) {
  load(linkOf(link), ({ address, page }) => {
    // Relative links would lead elsewhere. Those of a drawing have no address that can be set but their attribute.
    for (const other of document.querySelectorAll("a[href]")) other.setAttribute("href", new URL(other.getAttribute("href"), location.href));
    for (const form of document.forms) form.action = form.action;
    const dialog = document.createElement("dialog");
    number = { dialog, link, under: location.href, title: document.title };
    history.pushState(null, "", address);
    shown = pageOf(address);
    document.title = page.title;
    const main = page.getElementById("main");
    main.querySelector("h1").id = "number";
    dialog.className = "number";
    dialog.setAttribute("aria-labelledby", "number");
    const closing = document.createElement("div"); // stays above what moves under it
    closing.className = "closing";
    closing.append(button(words.close, () => history.back()));
    dialog.append(closing, ...main.childNodes);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      history.back();
    });
    dialog.addEventListener("click", (event) => event.target === dialog && history.back()); // beside it
    document.body.append(dialog);
    dialog.showModal();
    settle(dialog);
  });
}

// settle gives a page that was put in place what only scripts can do.
function settle(within) {
  const controls = within.querySelector(".controls");
  if (narrow.matches && !controls?.querySelector("[data-found]")) controls?.removeAttribute("open");
  controls?.setAttribute("data-settled", "");
  for (const text of within.querySelectorAll("[data-copy]")) {
    if (text.href && !navigator.clipboard) continue; // an address cannot be selected
    const copy = button(words.copy, async () => {
      copy.textContent = status.textContent = (await copyText(text)) ? words.copied : words.notCopied;
      setTimeout(() => (copy.textContent = words.copy), 2000);
    });
    copy.className = "copy";
    text.after(copy);
  }
  const retry = within.querySelector("[data-retry]");
  if (retry) wait(retry);
}

// copyText copies what an element shows or, of a link, its address, and tells whether the browser let it. Browsers have a clipboard for
// pages of https alone. Where copying is refused, the text stays selected.
async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.href ?? element.value ?? element.textContent);
    return true;
  } catch {
    if (element.href) return false;
    getSelection().selectAllChildren(element);
    element.select?.();
    return document.execCommand("copy");
  }
}

// wait counts down to when the server may be asked again, and asks once.
function wait(link) {
  if (again === link.href) return;
  let seconds = Number(link.dataset.retry);
  const left = document.createElement("span");
  link.after(" ", left);
  const tick = () => {
    if (!link.isConnected) return;
    left.textContent = words.waiting.replace("%s", seconds);
    if (seconds-- > 0) {
      setTimeout(tick, 1000);
    } else {
      left.remove();
      again = link.href;
      show(link.href, false);
    }
  };
  tick();
}

// isOurs tells whether a link leads to a page, and not to a file or out of the pages.
function isOurs(link, to) {
  return to.origin === location.origin && !link.hasAttribute("download") && !link.getAttribute("target") && link.closest("main, dialog") && /\/explore\//.test(to.pathname);
}

addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const to = new URL(linkOf(link));
  if (!isOurs(link, to)) return;
  if (to.hash && pageOf(to.href) === shown) {
    if (!number) return;
    event.preventDefault(); // a step in the history would be what closing goes back
    number.dialog.querySelector(to.hash).scrollIntoView();
    return;
  }
  event.preventDefault();
  const isNumber = (address) => /\/number$/.test(address.pathname);
  if (isNumber(to) && !isNumber(location)) openNumber(link);
  else show(to.href, true, { chosen: link });
});

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get" || !form.closest("main")) return;
  event.preventDefault();
  const address = new URL(form.action || location.href, location.href);
  address.search = new URLSearchParams(new FormData(form)).toString();
  show(address.href, true);
});

addEventListener("popstate", (event) => {
  if (pageOf(location.href) === shown) { // another place in the page that is seen: what may still be loading is not asked for any more
    asked++;
    root.removeAttribute("aria-busy");
    return;
  }
  if (number?.under !== location.href) {
    show(location.href, false, { back: event.state?.chosen });
    return;
  }
  const { dialog, link, title } = number;
  number = null;
  shown = pageOf(location.href);
  asked++; // what may still be loading is of the number
  dialog.remove();
  document.title = title;
  link.focus();
});

addEventListener("keydown", (event) => {
  if (number || event.target.closest("input, select, textarea, [role=region]") || event.metaKey || event.ctrlKey || event.altKey) return;
  document.querySelector(`main a[data-key="${event.key}"]`)?.click();
});

// Typing ahead: the best hits of the page that the search box leads to, which groups them.
const mostAhead = 6;
let typed;
let typing = new AbortController();

addEventListener("input", (event) => {
  const box = event.target;
  if (box.id !== "q") return;
  clearTimeout(typed);
  typing.abort();
  document.getElementById("ahead")?.remove();
  if (box.value.trim().length < 3) return;
  typing = new AbortController();
  typed = setTimeout(() => lookAhead(box, typing.signal), 200);
});

async function lookAhead(box, signal) {
  const address = new URL(box.form.action);
  address.search = new URLSearchParams(new FormData(box.form)).toString();
  const found = await fetchPage(address, signal).catch(() => null); // typing goes on without
  if (!found || signal.aborted) return;
  const rank = (hit) => Number(hit.dataset.rank ?? 0);
  const hits = Array.from(found.page.querySelectorAll(".hits > li")).sort((a, b) => rank(a) - rank(b)).slice(0, mostAhead);
  if (!hits.length) return;
  for (const hit of hits) {
    for (const link of hit.querySelectorAll("a")) link.href = new URL(link.getAttribute("href"), found.address);
    hit.querySelector("p").after(placeOf(hit));
  }
  const title = found.page.querySelector("h1").textContent;
  const rest = document.createElement("li");
  rest.append(document.createElement("a"));
  rest.firstChild.href = found.address;
  rest.firstChild.textContent = title;
  hits.push(rest);
  const list = document.createElement("ul");
  list.id = "ahead";
  list.className = "hits";
  list.append(...hits);
  box.form.append(list);
  status.textContent = title;
}

// placeOf says what a hit is, of which budget, and what is doubtful about that, as the headings above it do on its page: names alone are the same in many places.
function placeOf(hit) {
  const budget = hit.closest(".found").querySelector("h2");
  const place = document.createElement("p");
  place.className = "soft";
  let level = hit.closest(".more") ?? hit.closest(".hits");
  while (level.tagName !== "H3") level = level.previousElementSibling;
  place.textContent = `${level.textContent} · ${budget.firstChild.textContent}`;
  const madeUp = budget.querySelector(".madeup");
  if (madeUp) {
    madeUp.textContent = madeUp.dataset.short;
    place.append(" ", madeUp.cloneNode(true));
  }
  for (const mark of budget.querySelectorAll(".doubt")) place.append(" ", mark.cloneNode(true));
  return place;
}

// A menu closes when another opens, when something beside it is chosen, and with Escape.
const closeMenus = (but) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (menu !== but) menu.removeAttribute("open");
};
addEventListener("click", (event) => event.target.closest(".menu > summary") && closeMenus(event.target.closest(".menu")));
addEventListener("pointerdown", (event) => !narrow.matches && closeMenus(event.target.closest(".menu")));
addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest(".menu[open]");
  if (!menu) return;
  menu.removeAttribute("open");
  menu.querySelector("summary").focus();
});

// The arrows lead from the search box through the hits, Escape back to it.
addEventListener("keydown", (event) => {
  const list = document.getElementById("ahead");
  const box = document.getElementById("q");
  if (!list || !event.target.closest(".search")) return;
  const stops = [box, ...list.querySelectorAll("a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    list.remove();
    box.focus();
  } else if (step) {
    stops[stops.indexOf(event.target) + step]?.focus();
  } else {
    return;
  }
  event.preventDefault();
});

for (const left of ["focusin", "pointerdown"]) {
  addEventListener(left, (event) => {
    if (!event.target.closest(".search")) document.getElementById("ahead")?.remove();
  });
}

settle(document.getElementById("main"));
