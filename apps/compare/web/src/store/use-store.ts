import { useEffect, useState } from 'preact/hooks';
import type { StoreState } from './state.ts';
import { createStore, type Store } from './store.ts';

/** The store and its current state; `null` until the workers have started. Updates are batched per animation frame. */
export function useStore(): { readonly store: Store; readonly state: StoreState } | null {
  const [store, setStore] = useState<Store | null>(null);
  const [state, setState] = useState<StoreState | null>(null);
  useEffect(() => {
    let frame = 0;
    const show = (): void => {
      frame = 0;
      if (opened) setState(opened.state);
    };
    let opened: Store | null = null;
    void createStore(() => {
      if (frame === 0) frame = requestAnimationFrame(show);
    }).then((ready) => {
      opened = ready;
      setState(ready.state);
      setStore(ready);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return store && state ? { store, state } : null;
}
