import { useEffect, useState } from 'preact/hooks';

/**
 * A text that has to be asked for; the one before stays until it is there, so that nothing flickers while a pointer
 * passes over messages.
 * @param key what the text is of; `null` for none
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
