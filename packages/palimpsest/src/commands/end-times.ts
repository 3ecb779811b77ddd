/** Longest time of `--drain`, in seconds. */
export const maxDrainSeconds = 600;
/** Longest time of `--drain-delay`, in seconds. */
export const maxDrainDelaySeconds = 60;
/** Longest time that a proxy may take to end, in milliseconds: both, and a minute to store what it has. */
export const maxEndMs: number = (maxDrainSeconds + maxDrainDelaySeconds + 60) * 1000;
