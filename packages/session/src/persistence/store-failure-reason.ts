/** Why a store failed: a clause or the store's own words, in one line. */
export function storeFailureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed with a value that is not an Error';
  const { code, message, name } = error as Error & { readonly code?: string };
  // The Redis client reports only the number of attempts.
  if (name === 'MaxRetriesPerRequestError' || code === 'ECONNREFUSED') return 'it does not answer';
  return message.split('\n', 1)[0] || code || name;
}
