import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

const unknown = { width: 0, height: 0 };

/** The size of an element in CSS pixels, kept up to date; 0 by 0 before layout. */
export function useSize(element: RefObject<Element | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState(unknown);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
