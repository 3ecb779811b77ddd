import { useMemo } from 'preact/hooks';
import { useColourScheme } from './colour-scheme.ts';

/** Looks up a palette colour by name, for canvas drawing. */
export type Colours = (name: string) => string;

/** The palette of the current colour scheme. The function's identity changes with the scheme. */
export function useColours(): Colours {
  const scheme = useColourScheme();
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const known = new Map<string, string>();
    return (name) => {
      let colour = known.get(name);
      if (colour === undefined) known.set(name, (colour = style.getPropertyValue(`--${name}`).trim()));
      return colour;
    };
  }, [scheme]);
}
