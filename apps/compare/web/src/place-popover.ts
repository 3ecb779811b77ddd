/** Places a popover below the button that opened it, inside the window. */
export function placeBelow(popover: HTMLElement, button: HTMLElement | null): void {
  if (!button) return;
  const { left, bottom } = button.getBoundingClientRect();
  popover.style.left = `${Math.max(8, Math.min(left, innerWidth - popover.offsetWidth - 8))}px`;
  popover.style.top = `${bottom + 4}px`;
}
