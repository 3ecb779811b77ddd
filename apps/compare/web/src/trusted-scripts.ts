/** The parts of Trusted Types that TypeScript's DOM library does not know yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown;
}

/**
 * The page's one policy: a worker may be made of the page's own code, which comes as a `blob:`. There is no rule for
 * HTML or script text, so that the browser refuses to turn any string into either.
 */
export function trustOwnWorkers(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      if (address.startsWith('blob:')) return address;
      throw new TypeError('only the page’s own workers may be started');
    },
  });
}
