// @ts-check
/** Runs once a second what the program of the screen says: nothing, or to go on to the pages. */
let turn = 0;
setInterval(() => {
  const next = document.createElement("script");
  turn += 1;
  next.src = `next.js?${turn}`;
  next.addEventListener("load", () => next.remove());
  next.addEventListener("error", () => next.remove());
  document.head.append(next);
}, 1000);
