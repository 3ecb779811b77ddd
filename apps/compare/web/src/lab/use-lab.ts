import { useEffect, useState } from 'preact/hooks';
import { type Lab, type LabState, openLab } from './lab.ts';

/** The lab and its newest state; `null` until the workers are up. Answers that come together are shown together. */
export function useLab(): { readonly lab: Lab; readonly state: LabState } | null {
  const [lab, setLab] = useState<Lab | null>(null);
  const [state, setState] = useState<LabState | null>(null);
  useEffect(() => {
    let frame = 0;
    const show = (): void => {
      frame = 0;
      if (opened) setState(opened.state);
    };
    let opened: Lab | null = null;
    void openLab(() => {
      if (frame === 0) frame = requestAnimationFrame(show);
    }).then((ready) => {
      opened = ready;
      setState(ready.state);
      setLab(ready);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return lab && state ? { lab, state } : null;
}
