import { useEffect, useState } from 'preact/hooks';

/**
 * Loads a text asynchronously. The previous text stays until the new one arrives, which avoids flicker while the pointer
 * moves.
 * @param key identifies the text; `null` for none
 */
export function useText(key: string | null, ask: () => Promise<string>): string {
  const [text, setText] = useState('');
  useEffect(() => {
    let wanted = true;
    if (key === null) setText('');
    else
      void ask().then(
        (answer) => {
          if (wanted) setText(answer);
        },
        () => {},
      );
    return () => {
      wanted = false;
    };
  }, [key]);
  return text;
}
