import { useEffect, useState } from 'preact/hooks';
import { oneLine } from '../one-line.ts';
import type { StoreState } from './state.ts';
import { createStore, type Store } from './store.ts';

/** The store and its current state, once the workers have started; or why they could not be started, in one line. */
interface UsedStore {
  readonly page: { readonly store: Store; readonly state: StoreState } | null;
  readonly problem: string | null;
}

/** Starts the workers. Updates of the state are batched per animation frame. */
export function useStore(): UsedStore {
  const [problem, setProblem] = useState<string | null>(null);
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
    }).then(
      (ready) => {
        opened = ready;
        setState(ready.state);
        setStore(ready);
      },
      (error: unknown) => setProblem(oneLine(error)),
    );
    return () => cancelAnimationFrame(frame);
  }, []);
  return { page: store && state ? { store, state } : null, problem };
}
