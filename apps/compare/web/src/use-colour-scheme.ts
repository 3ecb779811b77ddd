import { useEffect, useState } from 'preact/hooks';

const dark = '(prefers-color-scheme: dark)';
const forced = '(forced-colors: active)';

/** The current colours of the system: dark or light, and whether they are forced. Rerenders when it changes, so that canvases can be repainted. */
export function useColourScheme(): string {
  const [scheme, setScheme] = useState(current);
  useEffect(() => {
    const queries = [dark, forced].map((query) => matchMedia(query));
    const change = (): void => setScheme(current());
    for (const query of queries) query.addEventListener('change', change);
    return () => {
      for (const query of queries) query.removeEventListener('change', change);
    };
  }, []);
  return scheme;
}

function current(): string {
  return [dark, forced].map((query) => matchMedia(query).matches).join();
}
