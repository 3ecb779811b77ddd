import { useEffect, useState } from 'preact/hooks';

/** Whether the page is shown dark or light, and again when that changes: what is painted by script has to be repainted. */
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
