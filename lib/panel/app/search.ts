/** The search. One file, fetched with the first use. */
export { SearchDialog, SearchHeading } from './search-field.tsx';
export { SearchResults } from './search-results.tsx';
