import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface PlayButtonProps {
  readonly turn: number;
  readonly turns: number;
  onTurn(turn: number): void;
}

/** A whole session plays in about six seconds, with at least 20 ms per request. */
const durationMs = 6_000;
const shortestMs = 20;

/** Plays the session from its first request. Hidden with reduced motion; the slider offers the same. */
export function PlayButton({ turn, turns, onTurn }: PlayButtonProps): JSX.Element | null {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    if (turn >= turns - 1) {
      setPlaying(false);
      return;
    }
    const stepMs = Math.max(durationMs / turns, shortestMs);
    const stride = Math.max(1, Math.round((turns * stepMs) / durationMs));
    const timer = setTimeout(() => onTurn(Math.min(turn + stride, turns - 1)), stepMs);
    return () => clearTimeout(timer);
  }, [playing, turn, turns, onTurn]);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return null;
  return (
    <button
      type="button"
      class="button"
      onClick={() => {
        if (!playing && turn >= turns - 1) onTurn(0);
        setPlaying(!playing);
      }}
    >
      {playing ? 'Pause' : 'Play'}
    </button>
  );
}
