/** Formats a number from 0 on, rounded, with a comma between thousands: `12,345`. */
export function formatCount(value: number): string {
  const whole = Math.round(value);
  return whole < 1_000
    ? `${whole}`
    : `${formatCount(Math.floor(whole / 1_000))},${`${whole % 1_000}`.padStart(3, '0')}`;
}
