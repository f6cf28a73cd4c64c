export default {
  // Packages that find files beside themselves, or are compiled: loaded as they are, not put into the bundle.
  serverExternalPackages: ['parlance', 'better-sqlite3', 'sharp', 'jq-wasm'],
};
