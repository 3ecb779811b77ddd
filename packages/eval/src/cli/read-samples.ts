import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folders of the recorded conversations: in the published package, and in the sources. */
const places: readonly string[] = ['./samples', '../../../../apps/compare/samples'];

/** The folder with the recorded conversations that come with this package. */
export function samplesFolder(): string {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(folder)) ?? folders[0]!;
}
