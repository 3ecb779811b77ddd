/** Estimated and reported tokens of one request. */
export interface CalibrationSample {
  /** The model that answered. Each model has its own ratios. @default '' */
  readonly model?: string | undefined;
  /** Estimated tokens of everything except images, uncalibrated. */
  readonly estimated: number;
  /** Prompt tokens reported by the provider, including cached ones. */
  readonly actual: number;
  /** Estimated tokens of the images, uncalibrated and not included in `estimated`. @default 0 */
  readonly estimatedImages?: number | undefined;
}

/** The ratios learned so far, as JSON. Returned by {@link Calibration.snapshot}, accepted by {@link createCalibration}. */
export interface CalibrationSnapshot {
  readonly [model: string]: { readonly text: number; readonly images: number };
}

/** Learns from reported usage how far estimates are off, per model and separately for text and images. */
export interface Calibration {
  /** Learns from one request. Samples that are not finite and positive are ignored. */
  calibrate(sample: CalibrationSample): void;
  /** Corrects an estimate with the ratios of a model. Returns the sum of text and images, in tokens. */
  apply(
    estimate: { readonly estimated: number; readonly estimatedImages?: number | undefined },
    model?: string,
  ): number;
  /** Ratio of actual to estimated tokens of a model; 1 before the first sample. */
  ratio(model?: string, kind?: 'text' | 'images'): number;
  snapshot(): CalibrationSnapshot;
}

/** Range of ratios. Outside it, the estimate is probably of a different prompt than the billed one. */
const minRatio = 0.5;
const maxRatio = 2;
/** Share of the distance to the observed ratio by which one request moves the learned ratio, on a logarithmic scale. */
const rate = 0.5;
/** Limit of the change by one request, so that one outlier has little effect. */
const maxStep = Math.log(1.1);
/** A request changes the ratio of a category only if that category has at least this share of its tokens. */
const leadingShare = 0.6;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
const tokens = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

/**
 * Creates a {@link Calibration}: an exponential moving average of the ratio of actual to estimated tokens, with steps of at
 * most 10 %, limited to 0.5 to 2.
 * @param from ratios learned earlier; entries that are not numbers are ignored
 */
export function createCalibration(from: CalibrationSnapshot = {}): Calibration {
  const models = new Map<string, { text: number; images: number }>();
  for (const [model, ratios] of Object.entries(from)) {
    const text = tokens(ratios?.text) || 1;
    const images = tokens(ratios?.images) || 1;
    models.set(model, { text: clamp(text, minRatio, maxRatio), images: clamp(images, minRatio, maxRatio) });
  }
  const moveTowards = (ratio: number, observed: number): number => {
    const distance = Math.log(clamp(observed, minRatio, maxRatio) / ratio);
    return clamp(ratio * Math.exp(clamp(distance * rate, -maxStep, maxStep)), minRatio, maxRatio);
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
      if (share >= leadingShare) known.text = moveTowards(known.text, (billed - images * known.images) / text);
      else if (share <= 1 - leadingShare)
        known.images = moveTowards(known.images, (billed - text * known.text) / images);
      models.set(model, known);
    },
    apply: ({ estimated, estimatedImages }, model = '') =>
      Math.round(tokens(estimated) * ratio(model) + tokens(estimatedImages) * ratio(model, 'images')),
    snapshot: () => Object.fromEntries([...models].map(([model, ratios]) => [model, { ...ratios }])),
  };
}
