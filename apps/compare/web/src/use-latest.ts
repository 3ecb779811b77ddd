import { useRef } from 'preact/hooks';

/** Keeps the value of the last rendering, for a listener that is added only once. */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
