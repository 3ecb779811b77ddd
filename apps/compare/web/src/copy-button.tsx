import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const words = { idle: 'Copy', copied: 'Copied', failed: 'Not copied' } as const;

/** Copies a text, and says whether it could, until the text changes. Browsers have no clipboard for pages over plain HTTP. */
export function CopyButton({ text }: { readonly text: string }): JSX.Element {
  const [state, setState] = useState<keyof typeof words>('idle');
  useEffect(() => setState('idle'), [text]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  return (
    <button type="button" class="button" disabled={text === ''} onClick={() => void copy()}>
      {words[state]}
    </button>
  );
}
