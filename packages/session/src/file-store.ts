export { fileStore } from './persistence/file-store.ts';
