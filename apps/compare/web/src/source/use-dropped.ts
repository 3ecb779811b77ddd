import { useEffect, useState } from 'preact/hooks';
import { useLatest } from '../use-latest.ts';

/** Accepts files dropped anywhere on the page. Returns whether a file is being dragged over it. */
export function useDropped(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const handler = useLatest(onFiles);
  useEffect(() => {
    const hover = (event: DragEvent): void => {
      // Without this the browser would navigate to the file.
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) handler.current(files);
    };
    addEventListener('dragover', hover);
    addEventListener('dragleave', hover);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', hover);
      removeEventListener('dragleave', hover);
      removeEventListener('drop', drop);
    };
  }, []);
  return over;
}
