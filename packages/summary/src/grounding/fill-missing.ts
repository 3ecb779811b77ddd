import type { Grounded, GroundTruth } from './grounded.ts';

/**
 * Sections the model left out are taken from the record that rules write.
 * @param written the texts of those sections, in the order of the template
 */
export function fillMissing(
  grounded: Grounded,
  truth: GroundTruth,
  missing: readonly string[],
  written: readonly string[],
): Grounded {
  if (missing.length === 0) return grounded;
  const lost = new Set(missing);
  return {
    sections: grounded.sections.map((section, index) =>
      lost.has(truth.template.sections[index]!.heading) ? (written[index] ?? '') : section,
    ),
    warnings: [
      ...grounded.warnings,
      `The summary lacked ${missing.map((heading) => `"${heading}"`).join(', ')}; filled by rules.`,
    ],
  };
}
