/** Opens every fold around an element and scrolls to it. */
export function reveal(element: Element): void {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
  element.scrollIntoView({ block: 'nearest' });
}

/** Scrolls to a line of a handoff and focuses it. `line: null` is the beginning. */
export function revealLine(
  documents: Element,
  { handoff, line }: { readonly handoff: number; readonly line: number | null },
): void {
  const article = documents.querySelector(`[data-handoff="${handoff}"]`);
  const found = line === null ? article : article?.querySelector<HTMLElement>(`.line[data-line="${line}"]`);
  if (!found) return;
  reveal(found);
  if (found instanceof HTMLElement) found.focus({ preventScroll: true });
}
