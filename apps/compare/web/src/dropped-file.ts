import { useEffect, useRef, useState } from 'preact/hooks';

/** Takes a file dropped anywhere on the page. Returns whether one is held over it. */
export function useDroppedFile(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  const taker = useRef(onFile);
  taker.current = onFile;
  useEffect(() => {
    const hover = (event: DragEvent): void => {
      // Without this the browser would leave the page for the file.
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) taker.current(file);
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
