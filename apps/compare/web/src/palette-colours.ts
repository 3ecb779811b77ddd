import { useMemo } from 'preact/hooks';
import { useColourScheme } from './colour-scheme.ts';

/** A colour of the palette by its name, for what is painted by script. */
export type Colours = (name: string) => string;

/** The palette in the light the page is shown in; another function when the light changes. */
export function useColours(): Colours {
  const light = useColourScheme();
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const known = new Map<string, string>();
    return (name) => {
      let colour = known.get(name);
      if (colour === undefined) known.set(name, (colour = style.getPropertyValue(`--${name}`).trim()));
      return colour;
    };
  }, [light]);
}
