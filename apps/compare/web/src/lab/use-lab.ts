import { useEffect, useState } from 'preact/hooks';
import { type Lab, type LabState, openLab } from './lab.ts';

/** The lab and its newest state; `null` until the workers are up. */
export function useLab(): { readonly lab: Lab; readonly state: LabState } | null {
  const [lab, setLab] = useState<Lab | null>(null);
  const [state, setState] = useState<LabState | null>(null);
  useEffect(() => {
    void openLab(setState).then((opened) => {
      setState(opened.state);
      setLab(opened);
    });
  }, []);
  return lab && state ? { lab, state } : null;
}
