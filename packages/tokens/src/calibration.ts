/** One request: what was estimated for it, and what the provider then reported. */
export interface CalibrationSample {
  /** Which model answered; each has ratios of its own. @default '' */
  readonly model?: string | undefined;
  /** Estimated tokens of everything but images, uncalibrated. */
  readonly estimated: number;
  /** Prompt tokens the provider reported, cached ones included. */
  readonly actual: number;
  /** Estimated tokens of the images in the request, uncalibrated and not part of `estimated`. @default 0 */
  readonly estimatedImages?: number | undefined;
}

/** Ratios learned so far, as JSON: what {@link Calibration.snapshot} gives and {@link createCalibration} takes back. */
export interface CalibrationSnapshot {
  readonly [model: string]: { readonly text: number; readonly images: number };
}

/** Learns from reported usage how far estimates are off, per model, for text and for images apart. */
export interface Calibration {
  /** Learns from one request. A sample that is not finite and positive teaches nothing. */
  calibrate(sample: CalibrationSample): void;
  /** An estimate corrected by what was learned of a model; the sum of both kinds, in tokens. */
  apply(
    estimate: { readonly estimated: number; readonly estimatedImages?: number | undefined },
    model?: string,
  ): number;
  /** Actual over estimated tokens of a model; 1 until something was learned. */
  ratio(model?: string, kind?: 'text' | 'images'): number;
  snapshot(): CalibrationSnapshot;
}

/** Ratios stay within these: beyond, the estimate is of another prompt than the one that was billed. */
const smallest = 0.5;
const largest = 2;
/** Share of the distance to the observed ratio that one request moves the learned one, on a logarithmic scale. */
const rate = 0.5;
/** The farthest one request moves a ratio, either way: one odd request cannot swing it. */
const largestStep = Math.log(1.1);
/** A request teaches about the kind that makes up at least this share of it; the other kind would drown in its noise. */
const leadingShare = 0.6;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
const tokens = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

/**
 * A {@link Calibration}: an exponential moving average of actual over estimated, in steps of at most 10 %, kept between
 * 0.5 and 2.
 * @param from ratios learned earlier; entries that are not numbers are left out
 */
export function createCalibration(from: CalibrationSnapshot = {}): Calibration {
  const models = new Map<string, { text: number; images: number }>();
  for (const [model, ratios] of Object.entries(from)) {
    const text = tokens(ratios?.text) || 1;
    const images = tokens(ratios?.images) || 1;
    models.set(model, { text: clamp(text, smallest, largest), images: clamp(images, smallest, largest) });
  }
  const moved = (ratio: number, observed: number): number => {
    const distance = Math.log(clamp(observed, smallest, largest) / ratio);
    return clamp(ratio * Math.exp(clamp(distance * rate, -largestStep, largestStep)), smallest, largest);
  };
  const ratio = (model = '', kind: 'text' | 'images' = 'text'): number => models.get(model)?.[kind] ?? 1;
  return {
    ratio,
    calibrate({ model = '', estimated, actual, estimatedImages }) {
      const text = tokens(estimated);
      const images = tokens(estimatedImages);
      const billed = tokens(actual);
      if (billed === 0 || text + images === 0) return;
      const known = models.get(model) ?? { text: 1, images: 1 };
      const share = (text * known.text) / (text * known.text + images * known.images);
      if (share >= leadingShare) known.text = moved(known.text, (billed - images * known.images) / text);
      else if (share <= 1 - leadingShare) known.images = moved(known.images, (billed - text * known.text) / images);
      models.set(model, known);
    },
    apply: ({ estimated, estimatedImages }, model = '') =>
      Math.round(tokens(estimated) * ratio(model) + tokens(estimatedImages) * ratio(model, 'images')),
    snapshot: () => Object.fromEntries([...models].map(([model, ratios]) => [model, { ...ratios }])),
  };
}
