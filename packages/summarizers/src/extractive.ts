export { type ExtractiveOptions, extractive } from '@palimpsest/summary';
