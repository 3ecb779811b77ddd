import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { newestOnly } from './newest-only.ts';

/**
 * Loads a value asynchronously. The previous value stays until the new one arrives, which avoids flicker while the
 * pointer moves. Only the newest question waits for an answer, because the pointer asks faster than a worker answers.
 * @param key identifies the value; `null` for none
 */
export function useNewest<T>(key: string | null, ask: () => Promise<T>): T | null {
  const [value, setValue] = useState<T | null>(null);
  const wanted = useRef<string | null>(null);
  const load = useMemo(
    () =>
      newestOnly<{ readonly key: string; ask(): Promise<T> }>(async (question) => {
        const answer = await question.ask().catch(() => null);
        if (question.key === wanted.current) setValue(answer);
      }),
    [],
  );
  useEffect(() => {
    wanted.current = key;
    if (key === null) setValue(null);
    else load({ key, ask });
  }, [key]);
  return value;
}
