/** Rounds and formats a number of at least 0 with a comma between thousands: `12,345`. */
export function formatCount(value: number): string {
  const whole = Math.round(value);
  return whole < 1_000
    ? `${whole}`
    : `${formatCount(Math.floor(whole / 1_000))},${`${whole % 1_000}`.padStart(3, '0')}`;
}
