import { useEffect, useState } from 'preact/hooks';
import { useLatest } from '../use-latest.ts';

/** What is given to the page. */
interface Handlers {
  onFiles(files: readonly File[]): void;
  onText(text: string): void;
}

/**
 * Accepts files that are dropped anywhere on the page, and files and text that are pasted anywhere except into a field.
 * Returns whether a file is being dragged over the page.
 */
export function useGiven(handlers: Handlers): boolean {
  const [over, setOver] = useState(false);
  const latest = useLatest(handlers);
  useEffect(() => {
    const end = new AbortController();
    const takeFiles = (data: DataTransfer | null): boolean => {
      const files = [...(data?.files ?? [])];
      if (files.length > 0) latest.current.onFiles(files);
      return files.length > 0;
    };
    const drag = (event: DragEvent): void => {
      // Without this the browser would navigate to the file.
      event.preventDefault();
      setOver(event.type === 'dragover');
      if (event.type === 'drop') takeFiles(event.dataTransfer);
    };
    for (const type of ['dragover', 'dragleave', 'drop'] as const) addEventListener(type, drag, { signal: end.signal });
    const paste = ({ target, clipboardData }: ClipboardEvent): void => {
      if ((target as Element | null)?.closest('input, textarea, select')) return;
      const text = clipboardData?.getData('text/plain') ?? '';
      if (!takeFiles(clipboardData) && text.trim() !== '') latest.current.onText(text);
    };
    addEventListener('paste', paste, { signal: end.signal });
    return () => end.abort();
  }, []);
  return over;
}
