/** The parts of Trusted Types that TypeScript's DOM library lacks. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown;
}

/**
 * Installs the page's Trusted Types policy: workers may be created from `blob:` URLs, which hold the page's own code.
 * There is no rule for HTML or script text, so the browser blocks both.
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
