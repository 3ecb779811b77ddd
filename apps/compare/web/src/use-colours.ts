import { useEffect, useMemo, useState } from 'preact/hooks';

/** Looks up a palette colour by name, for canvas drawing. */
export type Colours = (name: string) => string;

/** The palette of the current colour scheme. The function's identity changes with the scheme. */
export function useColours(): Colours {
  const scheme = useColourScheme();
  return useMemo(() => {
    const known = new Map<string, string>();
    return (name) => {
      let colour = known.get(name);
      if (colour === undefined) known.set(name, (colour = resolveColour(name)));
      return colour;
    };
  }, [scheme]);
}

/** A canvas does not know the colours that a system forces: only an element resolves their names. */
function resolveColour(name: string): string {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.forcedColorAdjust = 'none';
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const dark = '(prefers-color-scheme: dark)';
const forced = '(forced-colors: active)';

/** The current colours of the system: dark or light, and whether they are forced. Rerenders when it changes, so that canvases can be repainted. */
function useColourScheme(): string {
  const [scheme, setScheme] = useState(current);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    for (const query of [dark, forced])
      matchMedia(query).addEventListener('change', () => setScheme(current()), { signal });
    return () => end.abort();
  }, []);
  return scheme;
}

function current(): string {
  return [dark, forced].map((query) => matchMedia(query).matches).join();
}
