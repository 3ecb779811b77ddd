import { useMemo } from 'preact/hooks';
import { useColourScheme } from './use-colour-scheme.ts';

/** Looks up a palette colour by name, for canvas drawing. */
export type Colours = (name: string) => string;

/** The palette of the current colour scheme. The function's identity changes with the scheme. */
export function useColours(): Colours {
  const scheme = useColourScheme();
  return useMemo(() => {
    const known = new Map<string, string>();
    return (name) => {
      let colour = known.get(name);
      if (colour === undefined) known.set(name, (colour = resolved(name)));
      return colour;
    };
  }, [scheme]);
}

/** A canvas does not know the colours that a system forces: only an element resolves their names. */
function resolved(name: string): string {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.forcedColorAdjust = 'none';
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
