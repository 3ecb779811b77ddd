import { render } from 'preact';
import 'virtual:palette.css';
import './style/base.css';
import './style/layout.css';
import './style/controls.css';
import './style/results.css';
import './style/replay.css';
import './style/side.css';
import './style/reading.css';
import './style/handoff.css';
import './style/messages.css';
import { App } from './app.tsx';

/** The parts of Trusted Types that TypeScript's DOM library lacks. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown;
}

trustOwnWorkers();
render(<App />, document.getElementById('app')!);

/**
 * Installs the page's Trusted Types policy: workers may be created from `blob:` URLs, which hold the page's own code.
 * There is no rule for HTML or script text, so the browser blocks both.
 */
function trustOwnWorkers(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      if (address.startsWith('blob:')) return address;
      throw new TypeError('only the page’s own workers may be started');
    },
  });
}
