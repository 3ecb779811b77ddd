import { useEffect, useState } from 'preact/hooks';

/** The current colour scheme. Rerenders when it changes, so that canvases can be repainted. */
export function useColourScheme(): 'dark' | 'light' {
  const [light, setLight] = useState(current);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => setLight(current());
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return light;
}

function current(): 'dark' | 'light' {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
