const mills = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats dollars with two decimals, or three below one dollar. */
export function dollars(amount: number): string {
  return `$${(amount < 1 ? mills : cents).format(amount)}`;
}
