import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Copies a text, and says so until the text changes. */
export function CopyButton({ text }: { readonly text: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  useEffect(() => setCopied(false), [text]);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" class="button" disabled={text === ''} onClick={copy}>
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}
