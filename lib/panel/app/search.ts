/** The search. One file, fetched with the first use. */
export { SearchDialog, SearchHeading } from './search-field.tsx';
