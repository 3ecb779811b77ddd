import { useEffect } from 'preact/hooks';
import { useLatest } from '../use-latest.ts';

/** Accepts text and files that are pasted anywhere on the page, except into a field. */
export function usePasted(onText: (text: string) => void, onFiles: (files: readonly File[]) => void): void {
  const handlers = useLatest({ onText, onFiles });
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if ((event.target as Element | null)?.closest('input, textarea, select')) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (files.length > 0) handlers.current.onFiles(files);
      else if (text.trim() !== '') handlers.current.onText(text);
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
}
