/** Styles of lists of users and channels, for the parts that show them. */
import { addStyles } from '../style-sheets.ts';
import lists from './lists.css';

addStyles(lists);
