/** Headers in which clients send a key. Gemini also takes it in the address. */
export const keyHeaders: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];

/** The keys of a request: what its headers and its address have in the places of keys. */
export function keysIn(header: (name: string) => unknown, { searchParams }: URL): readonly string[] {
  return [...keyHeaders.map(header), searchParams.get('key')].filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}
