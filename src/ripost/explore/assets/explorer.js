function T(r){let t=[];for(let[e,n]of[...r].sort((s,o)=>s[0]-o[0]||s[1]-o[1])){let s=t[t.length-1];s&&e<=s[1]?s[1]=Math.max(s[1],n):t.push([e,n])}return t}function F(r,t){
let e=[],n=0,s=0;for(;n<r.length&&s<t.length;){let o=Math.max(r[n][0],t[s][0]),i=Math.min(r[n][1],t[s][1]);o<i&&e.push([o,i]),r[n][1]<t[s][1]?n+=1:s+=1}return e}
function Z(r){return r.reduce((t,[e,n])=>t+n-e,0)}function Ce(r,t){let e=[],n=0;for(let[s,o]of T(r))s>n&&e.push([n,Math.min(s,t)]),n=Math.max(n,o);return n<t&&e.
push([n,t]),e}function _(r,t){return Object.keys(r).map(Number).filter(n=>Z(r[n])<t[n])}var pe=1e-9;function er(r){return r.some(t=>t.some(e=>Math.abs(e-Math.round(
e))>pe))}var hi=new WeakMap,ci=new WeakMap;function Zr(r,t){if(!er(r))return r;let e=t?ci:hi,n=e.get(r);if(n)return n;let s=r.map(([i,a])=>t?[Math.floor(i+pe),Math.
ceil(a-pe)]:[Math.ceil(i-pe),Math.floor(a+pe)]),o=T(s.filter(([i,a])=>i<a));return e.set(r,o),o}var Qr=new WeakMap;function Jr(r){let t=Qr.get(r)??[r];return Qr.
set(r,t),t}var Xr=new WeakMap;function ts(r,t){if(!t)return r;let e=Xr.get(r)??new WeakMap;Xr.set(r,e);let n=e.get(t)??F(r,t);return e.set(t,n),n}function de(r,t){
return!r||!t?r===t:r.length===t.length&&r.every(([e,n],s)=>e===t[s][0]&&n===t[s][1])}var et=864e5,Ft=/^\s*\d{4}-\d\d-\d\d\s*$/,g=class extends Error{};function Et(r,t,e,{after:n=!1,before:s=!1}={}){if(!r.ordered)throw new g(`${r.name} has no ord\
er; ask for values, not for a range`);let[o,i]=[t,e].map(c=>c===null?null:ss(r,c));if(o!==null&&i!==null&&o>i)throw new g(`${r.name}: the range is reversed, ${t}\
 is above ${e}`);let a=n?es(r,t,o):o,l=s?i:es(r,e,i),u=a===null?r.edge(0):ns(r,a,n),h=l===null?r.edge(r.count):ns(r,l,!s);return[nr(r,u,Math.max(u,h))].filter(([
c,m])=>c<m)}function fe(r,t){if(r.other&&t===r.otherName)return[[r.count,r.count+1]];if(!r.ordered){let s=r.codes.get(r.type==="boolean"?pi(t):t);if(s===void 0)
throw new g(`${r.name} has no value '${t}'; ${mi(r)}`);return[[s,s+1]]}if(os(r,t))return Et(r,t,t);let e=ss(r,t);if(r.step){let s=Math.floor(e/r.step)*r.step;return[
nr(r,s,s+r.step)]}nr(r,e,e);let n=Math.min(Math.floor(r.positionOf(e)),r.count-1);return[[n,n+1]]}function rs(r){if(!r.missing)throw new g(`${r.name} has no mis\
sing values: its schema drops them`);return[[r.missingCode,r.missingCode+1]]}function rr(r,t){return Ce(t,r.missingCode)}function ss(r,t){let e=r.parse(t);if(e===
null)throw new g(`${r.name}: cannot read '${t}' as ${r.type}`);return e}function os({type:r},t){return r==="timestamp"&&Ft.test(t)}function es(r,t,e){return e!==
null&&t!==null&&os(r,t)?e+et:e}function ns({step:r},t,e){return r?(e?Math.floor(t/r)+1:Math.ceil(t/r))*r:t}function nr(r,t,e){let n=r.edge(0),s=r.edge(r.count);
if(t>s||e<n||r.step&&(t===s||e===n)){let o=`${r.text(n)} to ${r.text(s-r.step)}`;throw new g(`${r.name} lies in ${o}; the range asked is outside`)}return[r.positionOf(
t),r.positionOf(e)]}function mi({names:r}){return r.length<=12?`known: ${r.join(", ")}`:`there are ${r.length} to choose from`}function pi(r){let t=r.trim().toLowerCase();
return["false","f","no","n","0"].includes(t)?"false":["true","t","yes","y","1"].includes(t)?"true":t}var di=500;function N(r,t){return or(r.flatMap(e=>t.flatMap(n=>as(e,n))))}function Lt(r,t){let e=new Map,n=[];for(let i of r){let a=i.length===1?Object.keys(i[0]):
[];a.length===1?e.set(a[0],[...e.get(a[0])??[],...i[0][a[0]]]):n.push(i)}let s=[...e].map(([i,a])=>[{[i]:T(a)}]),o=[];for(let i of[...s,...n])o=or([...o,...Ut(i,
o,t)]);return sr(o)}function Ut(r,t,e){let n=r;for(let s of t)n=or(n.flatMap(o=>fi(o,s,e)));return n}function sr(r){let t=[];for(let e of r){let n=t.findIndex(s=>is(
e,s).length===1);if(n<0)t.push(e);else{let[s]=is(e,t[n]);t[n]={...t[n],[s]:T([...t[n][s],...e[s]])}}}return t}function as(r,t){let e={...r};for(let[n,s]of Object.
entries(t))if(e[n]=n in r?F(r[n],s):s,e[n].length===0)return[];return[e]}function fi(r,t,e){if(as(r,t).length===0)return[r];let n=[],s=r;for(let[o,i]of Object.entries(
t)){let a=e[Number(o)],l=s[o]??[[0,a]],u=F(l,Ce(i,a));u.length&&n.push({...s,[o]:u}),s={...s,[o]:F(l,i)}}return n}function is(r,t){let e=Object.keys(r);return String(
e)!==String(Object.keys(t))?["",""]:e.filter(n=>!de(r[n],t[n]))}function or(r){if(r.length>di)throw new g("the conditions fall into too many parts; ask with few\
er ORs");return r}var wt=(r,t)=>({length:r,months:0,at:t}),ir=(r,t,e)=>({length:t*864e5,months:r,at:e}),ut={year:ir(12,365,r=>r.getUTCFullYear()),quarter:ir(3,90,r=>Math.floor(r.
getUTCMonth()/3)+1),month:ir(1,28,r=>r.getUTCMonth()+1),week:wt(6048e5,bi),day:wt(864e5,r=>r.getUTCDate()),dow:wt(864e5,r=>r.getUTCDay()),isodow:wt(864e5,r=>r.getUTCDay()||
7),doy:wt(864e5,r=>(Pt(ut.day,r.getTime())-Date.UTC(r.getUTCFullYear()))/864e5+1),hour:wt(36e5,r=>r.getUTCHours()),minute:wt(6e4,r=>r.getUTCMinutes()),second:wt(
1e3,r=>r.getUTCSeconds())},gi={weekday:"dow",dayofweek:"dow",day_of_week:"dow",dayofmonth:"day",day_of_month:"day",dayofyear:"doy",day_of_year:"doy",dayofweekiso:"\
isodow",day_of_week_iso:"isodow",weekofyear:"week",week_of_year:"week",years:"year",months:"month",days:"day",hours:"hour"};function $e(r){let t=r.toLowerCase(),
e=gi[t]??t;return Object.hasOwn(ut,e)?ut[e]:void 0}function ls({bins:r}){if(!r.edges)return r.width;let t=Math.max(1,Math.round((r.edges[1]-r.edges[0])/(30.4*864e5)));
return Object.values(ut).find(e=>e.months===t)?.length??30*864e5*t}function bi(r){let t=new Date(Pt(ut.week,r.getTime())+2592e5);return Math.floor((t.getTime()-
Date.UTC(t.getUTCFullYear()))/(7*864e5))+1}function Pt({months:r,length:t},e){let n=new Date(e);if(r)return Date.UTC(n.getUTCFullYear(),Math.floor(n.getUTCMonth()/
r)*r);let s=t===7*864e5?3456e5:0;return Math.floor((e-s)/t)*t+s}function lr({months:r,length:t},e){if(!r)return e+t;let n=new Date(e);return Date.UTC(n.getUTCFullYear(),
n.getUTCMonth()+r)}function us(r,t,e){let[n,s]=[r.edge(0),r.edge(r.count)];if((s-n)/t.length>1.2*e+2)return null;let o=[Pt(t,n)];for(;o[o.length-1]<s;)o.push(lr(
t,o[o.length-1]));return o}function At(r,t,e,n=[0,r.count]){let s=ut[t];if((r.tickAt(n[1])-r.tickAt(n[0]))/s.length>1.2*e+2)return null;let o=[],i=r.tickAt(n[1]);
for(let a=Pt(s,r.tickAt(n[0]));a<i;){let l=lr(s,a),[u,h]=[a,l].map(m=>r.positionOf(m)),c=[Math.max(u,n[0]),Math.min(h,n[1])];if(c[0]%1||c[1]%1)return null;c[0]<
c[1]&&o.push(c),a=l}return o.length<=e?o:null}function Re(r,[t,e]){let n=ar(r,[t,e]);return n?yi(n,r.tickAt(t)):r.describeRange(t,e)}function ar(r,t){let[e,n]=t.
map(i=>r.tickAt(i)),s=i=>lr(i,e)-n,o=t[1]===r.count?1e3:0;return wi.find(i=>{let a=ut[i];return Pt(a,e)===e&&s(a)>=0&&s(a)<=o})}function hs(r,t){let e=t.length>
2&&ar(r,t[1]);if(!e)return"";let n={first:t[0],last:t[t.length-1]},s=Object.entries(n).filter(([,i])=>ar(r,i)===void 0);return s.length===0?"":`The ${s.map(([i])=>i).
join(" and the ")} bar ${s.length>1?"hold":"holds"} only part of a ${e}.`}var wi=["year","quarter","month","week","day","hour"];function yi(r,t){let e=new Date(
t).toISOString();return r==="year"?e.slice(0,4):r==="quarter"?`${e.slice(0,4)} Q${ut.quarter.at(new Date(t))}`:r==="month"?e.slice(0,7):r==="week"?`week of ${e.
slice(0,10)}`:r==="day"?e.slice(0,10):e.slice(0,16).replace("T"," ")}function cs(r,t,e){let n=t.map(([l])=>r.tickAt(l)),s=n.slice(1),o=l=>s.every(u=>Pt(ut[l],u)===
u),i=new Date(r.tickAt(e[0])).toISOString();return o("year")?i.slice(0,4):o("month")?i.slice(0,7):o("day")?i.slice(0,10):(n[n.length-1]-n[0])/864e5<=1?i.slice(11,
16):i.slice(5,16).replace("T"," ")}function*W(r){yield r;for(let t of Object.values(r))for(let e of Array.isArray(t)?t:[t])e?.kind&&(yield*W(e))}var ms=new WeakMap;function Fe(r,t){return ms.set(
r,t),r}function k(r){return ms.get(r)??"…"}var Le=new RegExp([/(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)/.source,/(?<text>'(?:[^']|'')*')/.source,/(?<quoted>"(?:[^"]|"")*")/.source,/(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.
source,/(?<word>[\p{L}_][\p{L}\p{N}_$]*)/u.source,/(?<sign><=|>=|<>|!=|::|\/\/|[-+*/%=<>(),.;])/.source].join("|"),"uy"),ps=5e4;function ds(r){if(r.length>ps)throw new g(
`the question is too long: ${r.length} characters, at most ${ps}`);let t=[];for(Le.lastIndex=0;Le.lastIndex<r.length;){let e=Le.lastIndex,n=Le.exec(r),s=Object.
entries(n?.groups??{}).find(([,l])=>l!==void 0);if(!s)throw new g(`cannot read the question from ${x(r.slice(e))} on`);let[o,i]=s;if(o==="space")continue;let a=o===
"text"||o==="quoted"?vi(i):i;t.push({kind:o,text:a,raw:i,upper:o==="word"?i.toUpperCase():o==="sign"?i:""})}return[...t,{kind:"end",text:"the end",raw:"",upper:""}]}
function x(r){let t=r.replace(/\s+/g," ");return`"${t.length>40?`${t.slice(0,39)}…`:t}"`}function vi(r){let t=r[0];return r.slice(1,-1).replaceAll(t+t,t)}function Dt({name:r,quoted:t,table:e},n){let s=n.byName.get(r)??n.mapped.get(r);if(s||t||e)return e?void 0:s;let i=[...n.attributes,...n.mapped.values()].filter(
a=>a.name.toLowerCase()===r.toLowerCase());return i.length===1?i[0]:void 0}function U(r,t){if(r.kind!=="column")throw new g(`a condition compares an attribute w\
ith a value, not ${x(k(r))}`);let e=Dt(r,t);if(e)return e;if(r.kind==="column"&&Ue(r,t))throw new g(ur(r.name));let n=[...t.attributes,...t.mapped.values(),...t.
measures].map(o=>o.name),s=n.length<=12?`known: ${n.join(", ")}`:`there are ${n.length} to choose from`;throw new g(`the view has no attribute ${x(k(r))}; ${s}`)}
function ur(r){return`${r} is a measure, of which the view knows SUM(${r}) and AVG(${r}); an attribute has quantiles and counts of its values`}function Ue(r,t){
let e=r.name.toLowerCase(),n=[...t.byName.keys(),...t.mapped.keys()].some(i=>i.toLowerCase()===e);if(r.table||n)return;let s=t.measures.find(({name:i})=>i.toLowerCase()===
e),o=t.measures.filter(i=>i.column.toLowerCase()===e);return s??(o.length===1?o[0]:void 0)}function G(r){return r.kind==="minus"||r.kind==="cast"?G(r.of):r.kind===
"number"||r.kind==="text"||r.kind==="boolean"}function L(r){if(r.kind==="minus"){let{text:t,isText:e}=L(r.of);if(e)throw new g("a text has no sign; compare with\
 a plain value");return{text:t.startsWith("-")?t.slice(1):`-${t}`,isText:e}}if(r.kind==="cast"){let t=L(r.of);return(r.type.startsWith("TIMESTAMP")||r.type==="D\
ATETIME")&&Ft.test(t.text)?{...t,text:`${t.text.trim()}T00:00:00`}:t}if(r.kind==="number"||r.kind==="text")return{text:r.text,isText:r.kind==="text"};if(r.kind===
"boolean")return{text:String(r.value),isText:!1};throw r.kind==="null"?new g("nothing equals NULL; ask IS NULL or IS NOT NULL"):r.kind==="column"?new g(`expecte\
d a value and found ${x(r.name)}; put text in single quotes, as in 'JFK'`):new g(`${x(k(r))} is not a plain value`)}function z(r){if(!G(r))return null;let{text:t,
isText:e}=L(r);return e||t===""||!Number.isFinite(Number(t))?null:Number(t)}function ht(r,t){return JSON.stringify(r,(e,n)=>{if(n?.kind!=="column")return n;let s=Dt(
n,t);return s?{attribute:s.name}:{column:n.name,table:n.table}})}var ws=1e5,xi="YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND WEEKDAY DAYOFWEEK ISODOW DOY DAYOFWEEKISO DAYOFMONTH DAYOFYEAR WEEKOFYEAR",Ei=/^\s*(\d+)\s*(second|minute|hour|day|week|month|quarter|year)s?\s*$/,
Ai="an attribute, width(attribute, 10), FLOOR(attribute / 10) * 10, EXTRACT(month FROM attribute) or DATE_TRUNC('month', attribute)";function ys(r,t){if(r.kind===
"column")return Mi(U(r,t));let e=cr(r,t);if(e)return e;throw r.kind==="case"?new g("cannot group by CASE … END; ask COUNT(*) FILTER (WHERE …) for each of its ca\
ses"):new g(`cannot group by ${x(k(r))}; ask for ${Ai}`)}function cr(r,t){if(r.kind==="extract")return hr(U(r.of,t),r.part);if(r.kind==="binary"){let s=fs(r.left,
r.right)??fs(r.right,r.left);if(r.sign!=="*"||!s)return null;let[o,i,a]=s;if(L(i).text!==L(a).text)throw new g(`cannot group by ${x(k(r))}; divide and multiply \
by the same width`);return gs(U(o,t),L(a))}if(r.kind!=="call")return null;let[e,n]=r.args;return r.name==="WIDTH"&&r.args.length===2&&G(n)?gs(U(e,t),L(n)):r.name===
"DATE_TRUNC"&&e?.kind==="text"?Ii(U(n,t),e.text):["DATE_PART","DATEPART"].includes(r.name)&&e?.kind==="text"?hr(U(n,t),e.text):xi.split(" ").includes(r.name)&&r.
args.length===1?hr(U(e,t),r.name):null}function fs(r,t){let e=r.kind==="call"&&r.name==="FLOOR",n=e?r.args[0]:r;return n?.kind!=="binary"||n.sign!==(e?"/":"//")||
!G(t)||!G(n.right)?null:[n.left,n.right,t]}function Mi(r){dr(r,r.size);let t=Array.from({length:r.count},(n,s)=>s),e=t.map(n=>r.ordered?r.edge(n):r.names[n]);return pr(
r,e,t.map(n=>[[n,n+1]]))}function gs(r,{text:t}){let{name:e}=r;if(r.isCalendar)return ki(r,t);if(!r.ordered)throw new g(`${e} has no order, so it has no bins of\
 a width; group by ${e} itself`);let n=Number(t);if(!(n>0&&n<1e300)||r.type==="integer"&&n%1)throw new g(`the width of bins of ${e} must be a ${r.type} above 0,\
 got ${x(t)}`);let s=Math.floor(r.edge(0)/n),o=Math.ceil(r.edge(r.count)/n)-s;return dr(r,o),Pe(r,Array.from({length:o+1},(i,a)=>(s+a)*n))}function ki(r,t){let[
,e,n]=Ei.exec(t.toLowerCase())??[],s=$e(n??"");if(!s||!Number(e))throw new g(`${r.name}: a width of dates is a number and a period, such as '2 weeks', got ${x(t)}`);
if(s.months){let[u,h]=[mr(r,"month"),s.months*Number(e)],c=u.slice(0,-1).filter(m=>Si(m)%h===0);return Pe(r,[...new Set([u[0],...c,u[u.length-1]])])}let o=s.length*
Number(e);if(r.type==="date"&&o%et)throw new g(`${r.name} is a date, so its bins last whole days, got ${x(t)}`);let[i,a]=[r.edge(0),r.edge(r.count)],l=Math.ceil(
(a-i)/o);return dr(r,l),Pe(r,Array.from({length:l+1},(u,h)=>i+h*o))}function Si(r){return new Date(r).getUTCFullYear()*12+new Date(r).getUTCMonth()}function Ii(r,t){
return Pe(r,mr(r,t))}function hr(r,t){let e=mr(r,t),n=$e(t),s=new Map;for(let i=0;i+1<e.length;i+=1){let a=n.at(new Date(e[i])),[l,u]=[e[i],e[i+1]].map(m=>r.positionOf(
m)),h=s.get(a)??[];s.set(a,h);let c=h[h.length-1];c?.[1]===l?c[1]=u:l<u&&h.push([l,u])}let o=[...s.keys()].filter(i=>s.get(i)?.length).sort((i,a)=>i-a);return pr(
r,o,o.map(i=>s.get(i)??[]),o.map(String),"number")}function mr(r,t){let e=$e(t);if(!r.isCalendar)throw new g(`${r.name} is no date, so it has no ${t}; group by ${r.
name} itself`);if(!e)throw new g(`${r.name} has no part ${x(t)}; ask for year, month, week, day or hour`);if(r.type==="date"&&e.length<et)throw new g(`${r.name}\
 is a date without a time of day, so it has no ${t}`);if(ls(r)>e.length)throw new g(`the bins of ${r.name} are longer, so its ${t} is not known; ask for a longe\
r period`);let n=us(r,e,ws);if(!n)throw new g(`${r.name} has too many such periods; ask for a longer one`);return n}function Pe(r,t){let e=[];for(let s=0;s+1<t.
length;s+=1){let o=[r.positionOf(t[s]),r.positionOf(t[s+1])];o[0]<o[1]&&e.push([t[s],o])}let n=e.map(([,s])=>r.isCalendar?Re(r,s):r.describeRange(...s));return pr(
r,e.map(([s])=>s),e.map(([,s])=>[s]),n)}function pr(r,t,e,n,s=bs(r)){let{special:o,other:i,count:a}=r,l=r.ordered&&s===bs(r),u=c=>l?r.text(Number(c)):String(c),
h=[...t,...o.map(c=>i&&c===a?r.otherName:null)];return{attribute:r,kind:i?"string":s,labels:h.map((c,m)=>i&&m<t.length?u(t[m]):c),texts:[...n??t.map((c,m)=>r.describe(
m)),...o.map(c=>r.describe(c))],parts:[...e,...o.map(c=>[[c,c+1]])].map(c=>r.positions(c))}}function bs({type:r,ordered:t,isCalendar:e}){return t?e?r==="date"?"\
day":"moment":"number":"string"}function vs(r,t,e){return{attribute:r,kind:"number",labels:t.map(([n])=>n),texts:e,parts:t.map(n=>[n])}}function xs({kind:r,attribute:t},{
text:e}){if(r==="string")return e;let n=r==="number"?Number(e):t.parse(e);if(n===null||!Number.isFinite(n)||e.trim()==="")throw new g(`${t.name} cannot be compa\
red with ${x(e)}`);return n}function dr({name:r},t){if(t>ws){let e=t.toLocaleString("en-US");throw new g(`${r} falls into ${e} groups, too many to group by; ask\
 for width(${r}, …)`)}}var fr=Symbol("any text"),Es=Symbol("any letter");function gr({pattern:r,fold:t,escaping:e}){if(r.kind!=="text"||[...e].length>1)throw new g(`write one pattern \
in single quotes after LIKE, such as 'J%', not ${x(k(r))}`);let n=[],s=[...r.text];for(let o=0;o<s.length;o+=1)e&&s[o]===e?n.push(t?(s[++o]??e).toLowerCase():s[++o]??
e):n.push(s[o]==="%"?fr:s[o]==="_"?Es:t?s[o].toLowerCase():s[o]);return o=>Ni([...t?o.toLowerCase():o],n)}function Ni(r,t){let[e,n,s,o]=[0,0,-1,0];for(;e<r.length;)
if(t[n]===fr)[s,o,n]=[n,e,n+1];else if(n<t.length&&(t[n]===Es||t[n]===r[e]))[e,n]=[e+1,n+1];else if(s>=0)[o,e,n]=[o+1,o+1,s+1];else return!1;return t.slice(n).every(
i=>i===fr)}function As(r,t,e){let n=gr(t);if(r.ordered||r.type==="boolean")throw new g(`${r.name} has no listed values, which LIKE needs; compare it with =, <, \
> or BETWEEN`);let s=r.names.map(n);if(!s.includes(!0))throw new g(`${r.name} has no listed value like ${x(k(t.pattern))}`);return T(s.flatMap((o,i)=>o!==e?[[i,
i+1]]:[]))}var Y=[{}],Oi={"<":">","<=":">=",">":"<",">=":"<="},Ti={"=":"<>","<>":"=","<":">=",">=":"<",">":"<=","<=":">"},De={"=":(r,t)=>r===t,"<>":(r,t)=>r!==t,"<":(r,t)=>r<
t,"<=":(r,t)=>r<=t,">":(r,t)=>r>t,">=":(r,t)=>r>=t},Ci="ask for conditions joined by AND, OR and NOT, each on one attribute, with =, <>, <, <=, >, >=, BETWEEN, \
IN, LIKE or IS NULL";function nt(r,t,e=!1){if(r===null)return Y;if(r.kind==="not")return nt(r.of,t,!e);if(r.kind==="and"||r.kind==="or"){let o=r.parts.map(i=>nt(
i,t,e));return r.kind==="and"!==e?o.reduce((i,a)=>N(i,a)):Lt(o,t.sizes)}let[n,s]=$i(r,t,e);return s.length?[{[n]:s}]:[]}function $i(r,t,e){if(r.kind==="column"){
let a=U(r,t);if(a.type!=="boolean")throw new g(`${a.name} is no condition by itself; compare it with a value`);return[a.axis,fe(a,String(!e))]}let n=r.kind==="c\
ompare"?Ri(r):r,s=n.kind==="compare"?n.left:"of"in n?n.of:null;if(!s||!["compare","between","in","is null","like"].includes(n.kind))throw new g(`cannot answer ${x(
k(r))}; ${Ci}`);let o=s.kind==="column"||n.kind==="like"?null:cr(s,t);if(o)return[o.attribute.axis,Li(o,n,e)];if(s.kind==="call"&&["COUNT","SUM","AVG"].includes(
s.name))throw new g(`WHERE takes attributes; put ${x(k(s))} into HAVING`);let i=U(s,t);return[i.axis,i.positions(Fi(n,i,e))]}function Ri(r){let{sign:t,left:e,right:n}=r;
return G(e)?{...r,sign:Oi[t]??t,left:n,right:e}:r}function Fi(r,t,e){let n=o=>L(o).text,s=o=>e?rr(t,o):o;if(r.kind==="compare"){let o=e?Ti[r.sign]:r.sign,i=n(r.
right);return o==="="?fe(t,i):o==="<>"?rr(t,fe(t,i)):o[0]==="<"?Et(t,null,i,{before:o==="<"}):Et(t,i,null,{after:o===">"})}return r.kind==="between"?s(Et(t,n(r.
low),n(r.high))):r.kind==="in"?s(T(r.values.flatMap(o=>fe(t,n(o))))):r.kind==="like"?As(t,r,e):e?[[0,t.missingCode]]:rs(t)}function Li(r,t,e){let s=Ui(t,i=>xs(r,
L(i))),o=r.parts.filter((i,a)=>{let l=r.labels[a];return t.kind==="is null"?l===null!==e:l!==null&&s(l)!==e});return T(o.flat())}function Ui(r,t){if(r.kind==="c\
ompare"){let n=t(r.right);return s=>De[r.sign](s,n)}if(r.kind==="between"){let[n,s]=[t(r.low),t(r.high)];return o=>n<=o&&o<=s}let e=r.kind==="in"?r.values.map(t):
[];return n=>e.includes(n)}var ct=class{most;entries=new Map;constructor(t){this.most=Math.max(1,Math.floor(1048576/Math.max(1,t)))}of(t,e){let n=this.entries.get(t);if(n!==void 0)return n;
this.entries.size>=this.most&&this.forgetOldest();let s=e();return this.entries.set(t,s),s}forgetOldest(){let[t]=this.entries.keys();this.entries.delete(t)}};var Ms=1e-12,ks=new Float64Array(0),rt=class{constructor(t,e,n,s){this.lower=t;this.upper=e;this.which=n;this.mass=s;this.count=t.length,this.shares=new ct(this.
count),this.touches=new ct(this.count),this.prefix=Pi(s??ks),this.start=new Float64Array(this.count),this.stop=new Float64Array(this.count),this.flat=new Uint8Array(
this.count).fill(s?0:1);for(let o=0;o<this.count;o+=1){if(s){if(this.start[o]=this.at(t[o]),this.stop[o]=this.at(e[o]),this.stop[o]>this.start[o])continue;this.
flat[o]=1}this.start[o]=t[o],this.stop[o]=e[o]}}lower;upper;which;mass;count;shares;touches;prefix;start;stop;flat;lengthOf(t){let e=this.which[t];return this.upper[e]-
this.lower[e]}at(t){let e=this.mass??ks,n=Math.min(Math.floor(t),e.length-1);return this.prefix[n]+(t-n)*e[n]}covered(t){return this.shares.of(t,()=>this.coverage(
t))}coverage(t){let e=new Float64Array(this.count),n=this.rulers(t);for(let s=0;s<this.count;s+=1)e[s]=this.ratio(s,n);return e}rulers(t){let e=this.mass&&Ss(t,
n=>this.at(n));return{intervals:t,begins:t.map(([n])=>n),massive:e,even:Ss(t,n=>n)}}ratio(t,{intervals:e,begins:n,massive:s,even:o}){if(e.length===0)return 0;let i=J(
n,this.lower[t]);if(i>=0&&this.upper[t]<=e[i][1])return 1;let a=this.flat[t]||s===null?o:s,l=Is(a,i,this.lower[t]),h=(Is(a,J(n,this.upper[t]),this.upper[t])-l)/
(this.stop[t]-this.start[t]);return h>1-Ms?1:h>Ms?h:0}touched(t){return this.touches.of(t,()=>this.touching(t))}touching(t){let e=new Uint8Array(this.count),n=t.
map(([s])=>s);for(let s=0;s<this.count;s+=1){let o=J(n,this.lower[s]);o>=0&&this.upper[s]<=t[o][1]?e[s]=2:(o>=0&&this.lower[s]<t[o][1]||o+1<n.length&&n[o+1]<this.
upper[s])&&(e[s]=1)}return e}spread(t,e=null){let n=new Int32Array(this.count+1),s=[],o=[],i=t.map(l=>this.rulers(e?F([l],e):[l])),a=t.map(([l])=>l);for(let l=0;l<
this.count;l+=1){for(let u=Math.max(0,J(a,this.lower[l]));u<t.length&&!(t[u][0]>=this.upper[l]);u+=1){let h=this.ratio(l,i[u]);h!==0&&(s.push(u),o.push(h))}n[l+
1]=s.length}return{first:n,bin:Int32Array.from(s),share:Float64Array.from(o)}}};function Pi(r){let t=new Float64Array(r.length+1);for(let e=0;e<r.length;e+=1)t[e+
1]=t[e]+r[e];return t}function Ss(r,t){let e=r.map(o=>t(o[0])),n=r.map(o=>t(o[1])),s=[0];for(let o=0;o<e.length;o+=1)s.push(s[o]+(n[o]-e[o]));return{low:e,high:n,
before:s,at:t}}function Is(r,t,e){return t<0?0:r.before[t]+(Math.min(r.at(e),r.high[t])-r.low[t])}function J(r,t){let e=0,n=r.length;for(;e<n;){let s=e+n>>1;r[s]<=
t?e=s+1:n=s}return e-1}var Di=864e5,Bt=class{constructor(t,e){this.axis=e;this.name=t.name,this.unit=t.unit,this.type=t.type,this.size=t.size,this.count=t.count,this.other=t.other,this.
missing=t.missing,this.otherName=t.otherName,this.missingName=t.missingName,this.title=t.label||t.name,this.description=t.description??"",this.ordered=t.names===
void 0,this.isPeriod=t.period??!1,this.names=t.names??[],this.codes=new Map(this.names.map((n,s)=>[n,s])),this.step=t.step??0,this.bins=t.bins??{edges:[]}}axis;name;unit;type;size;count;other;missing;otherName;missingName;title;description;ordered;isPeriod;names;codes;step;bins;positions(t){
return t}get missingCode(){return this.count+(this.other?1:0)}get special(){return Array.from({length:this.size-this.count},(t,e)=>this.count+e)}describe(t){return t>=
this.count?this.other&&t===this.count?this.otherName:this.missingName:this.ordered?this.describeRange(t,t+1):this.names[t]}describeRange(t,e){let n=this.tickAt(
t),s=this.tickAt(e);return s-n<=this.step?this.text(n):`${this.text(n)} to ${this.text(s-this.step)}`}describeIntervals(t){let e=[];for(let[n,s]of t){let o=Math.
min(s,this.count);if(n<o)if(this.ordered)e.push(this.describeRange(n,o));else for(let i=Math.floor(n);i<o;i+=1)e.push(this.names[i]);for(let i of this.special)n<=
i&&i<s&&e.push(this.describe(i))}return e.length===0?"nothing":e.length>4?`${e.slice(0,3).join(", ")} and ${e.length-3} more`:e.join(", ")}tickAt(t){let e=Math.
min(Math.floor(t),this.count-1),n=this.edge(e);return t===e?n:n+(t-e)*(this.edge(e+1)-n)}edge(t){let{bins:e}=this;return e.edges?e.edges[t]:t===this.count?e.stop:
e.start+t*e.width}positionOf(t){let{bins:e}=this;if(t>=this.edge(this.count))return this.count;if(t<=this.edge(0))return 0;let n=this.count-1;if(e.edges){let o=J(
e.edges,t);return o+(t-e.edges[o])/(e.edges[o+1]-e.edges[o])}let s=(t-e.start)/e.width;return s<=n?s:Math.min(this.count,Math.max(n+(t-this.edge(n))/(e.stop-this.
edge(n)),n))}text(t){if(this.type==="integer")return String(Math.round(t));if(this.type==="number")return Bi(t);let[e,n]=new Date(Math.round(t)).toISOString().replace(
"Z","").split("T");return this.type==="date"?e:`${e} ${n.replace(/\.0+$/,"")}`}brief(t){if(this.type!=="timestamp")return this.text(t);let[e,n]=new Date(Math.round(
t)).toISOString().split("T"),s=(this.edge(this.count)-this.edge(0))/Di;return s>60?e:s<=1?n.slice(0,5):`${e.slice(5)} ${n.slice(0,5)}`}parse(t){let e=t.trim();if(this.
type==="integer"||this.type==="number")return e!==""&&Number.isFinite(Number(e))?Number(e):null;let n=/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?$/.
exec(e);if(!n||this.type==="date"&&n[2])return null;let s=Date.parse(`${n[1]}T${n[2]??"00:00"}Z`);return Number.isFinite(s)&&new Date(s).toISOString().startsWith(
n[1])?s:null}displayBins(t){let e=this.ordered?Math.max(1,Math.ceil(this.count/t)):1,n=this.ordered?this.count:Math.min(this.count,t),s=[];for(let o=0;o<n;o+=e)
s.push([o,Math.min(o+e,n)]);return[...s,...this.special.map(o=>[o,o+1])]}describeBin([t,e]){return e-t===1||t>=this.count?this.describe(t):this.describeRange(t,
e)}get isCalendar(){return this.type==="date"||this.type==="timestamp"}};function Bi(r){if(r===0)return"0";let[t,e]=r.toExponential(9).split("e"),n=Number(e);if(n<
-4||n>=10){let s=n<0?"-":"+";return`${Number(t)}e${s}${String(Math.abs(n)).padStart(2,"0")}`}return r.toFixed(Math.max(0,9-n)).replace(/(\.\d*?)0+$/,"$1").replace(
/\.$/,"")}var Mt=class extends Bt{constructor(e,n){let{other:s,missing:o,otherName:i,missingName:a,axis:l}=n,u=e.names.length;super({name:e.name,label:null,unit:null,type:"\
category",size:u+n.special.length,count:u,other:s,missing:o,otherName:e.otherName??i,missingName:e.missingName??a,names:e.names},l);this.of=n;this.isLevel=e.level,
this.parts=e.parts}of;isLevel;parts;positions(e){return T(e.flatMap(([n,s])=>this.parts.slice(n,s).flat()))}};function Ns(r,t){if(!(r instanceof Mt))return r===
t.of;if(r.of!==t.of)return!1;let e=(n,s)=>n.some(([o,i])=>s.some(([a,l])=>o<l&&a<i));return r.parts.every(n=>t.parts.filter(s=>e(n,s)).length===1)}var ge="COUNT(*), SHARE(*), or AVG, MEDIAN, SUM, MIN, MAX and QUANTILE_CONT of an attribute that has an order",br={COUNT:"count",COUNT_IF:"countif",COUNTIF:"cou\
ntif",SUM:"sum",AVG:"mean",MEAN:"mean",MIN:"min",MAX:"max",MEDIAN:"quantile",APPROX_MEDIAN:"quantile"},Ts="QUANTILE QUANTILE_CONT QUANTILE_DISC APPROX_QUANTILE \
PERCENTILE PERCENTILE_APPROX APPROX_PERCENTILE".split(" "),Cs=["PERCENTILE_CONT","PERCENTILE_DISC"];function Ht(r){for(let t of W(r)){if(t.kind!=="call")continue;
let{name:e}=t;if(Object.hasOwn(br,e)||Ts.includes(e)||Cs.includes(e)||e==="SHARE")return!0}return!1}function $s(r){let{name:t,args:e}=r,n=Object.hasOwn(br,t)?br[t]:
void 0;if(n&&e.length<=1&&!r.sorted)return{what:n,argument:e[0]??null,level:.5};if(Cs.includes(t)&&r.sorted){let s=Os(e[0]);return{what:"quantile",argument:r.sorted,
level:r.down?1-s:s}}if(Ts.includes(t))return{what:"quantile",argument:e[0],level:Os(e[1])};throw new g(`cannot answer ${x(k(r))}; ask for attributes in GROUP BY\
, or for ${ge}`)}function Os(r){if(!r)throw new g("a quantile needs a level from 0 to 1; write QUANTILE_CONT(attribute, 0.9)");let t=z(r);if(t===null||!(t>=0&&t<=
1))throw new g(`a quantile is a number from 0 to 1, got ${x(k(r))}`);return t}function _t(r){let[t,e]=[1,r];for(;;)if(e.kind==="cast")e=e.of;else if(e.kind==="m\
inus"&&z(e)===null)[t,e]=[-t,e.of];else if(e.kind==="binary"&&e.sign==="*"&&z(e.left)!==null)[t,e]=[t*(z(e.left)??1),e.right];else if(e.kind==="binary"&&e.sign===
"*"&&z(e.right)!==null)[t,e]=[t*(z(e.right)??1),e.left];else if(e.kind==="binary"&&e.sign==="/"&&z(e.right))[t,e]=[t/(z(e.right)??1),e.left];else return[t,e]}var wr="give its THEN and ELSE one attribute, or one number besides 0 and NULL",Hi=["and","or","not","compare","between","in","is null","like"],qt=class r{constructor(t,e,n){
this.expr=t;this.branches=e;this.engine=n}expr;branches;engine;static of(t,e){let n=t;for(;n.kind==="cast";)n=n.of;if(n.kind==="case")return new r(t,_i(n,e),e);
if(!Hi.includes(n.kind)&&!(n!==t&&n.kind==="column"))return null;let[s,o]=[!1,!0].map(i=>nt(n,e,i));return new r(t,[{value:1,region:s},{value:0,region:o}],e)}get there(){
return this.where(({value:t})=>t!==null)}number(){let t=this.different([0,null]);if(this.columns.length&&t.length===0)return null;if(this.columns.length||t.length>
1||typeof t[0]=="string")throw new g(`cannot answer ${x(k(this.expr))}; ${wr}`);let e=Number(t[0]??1);return[e,this.where(({value:n})=>n===e)]}column(t){if(new Set(
this.columns.map(({name:n})=>n.toLowerCase())).size!==1||this.different(t?[0,null]:[null]).length)throw new g(`cannot answer ${x(k(this.expr))}; ${t?wr:"leave o\
ut its ELSE"}`);return[this.columns[0],this.where(({value:n})=>be(n))]}get columns(){return this.branches.map(({value:t})=>t).filter(be)}different(t){let e=this.
branches.map(({value:n})=>n);return[...new Set(e)].filter(n=>!be(n)&&!t.includes(n))}where(t){return Lt(this.branches.filter(t).map(({region:e})=>e),this.engine.
sizes)}};function be(r){return typeof r=="object"&&r!==null}function _i({whens:r,thens:t},e){let n=Y;return[...r.map((o,i)=>{let a=nt(o,e),l=N(n,a);return n=Ut(
n,a,e.sizes),{value:Rs(t[i]),region:l}}),{value:Rs(t[r.length]),region:n}]}function Rs(r){if(r.kind==="null")return null;if(r.kind==="column")return r;if(r.kind===
"boolean")return Number(r.value);if(!G(r))throw new g(`cannot answer ${x(k(r))} in CASE; ${wr}`);let{text:t,isText:e}=L(r);return e?t:Number(t)}function yr(r){let[t,e,n]=[r(0),r(.5),r(1)],s=2*(t-2*e+n),o=4*e-3*t-n,i=Math.sqrt(Math.max(o**2-4*s*t,0)),a=-(o+(o<0||Object.is(o,-0)?-i:i))/2,l=[a/s,t/a].filter(
h=>h>=0&&h<=1);return[t<=0?0:l.length?Math.min(...l):NaN,n<=0?1:l.length?Math.max(...l):NaN]}function Fs(r,t,e,n){let[s,o]=[Math.max(r,0),Math.max(e,0)],[i,a]=yr(
l=>(s-l*o)**2-t**2-(l*n)**2);return[Number.isNaN(i)?1:i,Number.isNaN(a)?1:a]}var qi=1e-12;function qe(r,t,e){let n=new Be(r,t,e),s=n.value[0]-n.value[2],[o,i]=[n.stderr,n.reach].map(l=>Math.min(Math.sqrt(vr(l,[1,0,-1])),l[3]+l[4])),a=n.endless?
1/0:i;return{value:s,stderr:kt(o),low:kt(s-a),high:kt(s+a),note:n.note}}function Ls(r,t,e){let n=new Be(r,t,e),[s,o]=n.whole,i=o>0?s/o:NaN,a=Math.sqrt(vr(n.stderr,
[1,1-i,-i]))/Math.abs(o),[l,u]=n.ratios();n.endless&&([l,u]=[0,1/0]);let[h,c,m]=n.empty;m&&(l=_e(l,1)),h&&(u=He(u,1)),h&&c&&([l,u]=[0,0]),(n.unknown||c&&m)&&([l,
u]=[NaN,NaN]);let d={low:kt(l),high:kt(u)},f=Number.isNaN(i)?NaN:He(_e(i,l),u);return{value:kt(f),stderr:kt(a),...d,note:n.note}}var Be=class{value;whole;stderr;reach;empty;unknown;endless;note;constructor(t,e,n){
let{sizes:s}=t,[o,i,a]=[Ut(e,n,s),N(e,n),Ut(n,e,s)],l=o.length&&a.length?sr([...o,...a]):[],u=[o,i,a,e,n,l].map(c=>t.answer(c)),h=u.map(c=>t.reachOf(c));this.empty=
[o,i,a].map(c=>c.length===0),this.value=u.slice(0,3).map(c=>c.value),this.whole=u.slice(3,5).map(c=>c.value),this.unknown=h.some(Number.isNaN),this.endless=h.includes(
1/0),this.reach=h.map(c=>c===1/0?0:c),this.stderr=u.map((c,m)=>c.stderr??(h[m]===1/0?0:NaN)),this.note=u.map(c=>c.note??"").find(Boolean)??""}ratios(){let[t,e]=this.
accepted(c=>[1,1-c,-c]),[n,s]=this.accepted(c=>[c,c-1,-1]),[o,i]=[He(t,1/s),_e(e,1/n)],a=this.whole.map((c,m)=>Math.max(0,c-this.reach[3+m])),l=this.whole.map((c,m)=>Math.
max(0,c)+this.reach[3+m]),u=_e(o,l[1]>0?a[0]/l[1]:0),h=He(i,a[1]>0?l[0]/a[1]:1/0);return u<=h?[u,h]:[o,i]}accepted(t){return yr(e=>{let n=t(e),s=this.value.reduce(
(i,a,l)=>i+n[l]*Math.max(0,a),0)**2,o=s-vr(this.reach,n);return Math.abs(o)<=qi*s?0:o})}};function vr([r,t,e,n,s,o],[i,a,l]){let u=(i*r)**2+(a*t)**2+(l*e)**2,h=[
[i*a,n,r,t],[a*l,s,t,e],[i*l,o,r,e]];for(let[c,m,d,f]of h){let b=Math.min(Math.max((m**2-d**2-f**2)/2,-d*f),d*f);u+=2*c*(c<0?Math.min(b,0):b)}return Math.max(u,
0)}function He(r,t){return Number.isNaN(r)||t<r?t:r}function _e(r,t){return Number.isNaN(r)||t>r?t:r}function kt(r){return Number.isFinite(r)?r:null}var Gt="how these attributes depend on each other was not measured closely enough here: the answer mostly takes them as independent";function st(r,t,e,n){let s=n*
Math.sqrt(t+e);return Number.isFinite(s)?we({value:r,stderr:Math.sqrt(t)},s):{...mt(r),reach:s}}function we(r,t){let{value:e}=r;return{...r,reach:t,low:Math.max(
0,e-t),high:Math.max(0,e)+t}}function Ge(r){return Math.log(r/.05)/Math.log(1/.05)}function Us(r){let t=e=>Math.log((1-e)/e);return t(.05/r)/t(.05)}function Ps(r,t){
let e=r.stderr>0?t-(r.high-r.low):0;if(!(e>0))return r;let n=Math.max(r.low-e/2,0);return{...r,low:n,high:Math.max(r.high+e/2,n+t)}}function mt(r){return{value:r,
stderr:null,low:null,high:null,reach:NaN}}var Gi=2e4,je=50,ji=[0,.003,.01,.03,.1],Vi=[.8,.6,.4,.2,.1],Ki=1.96/Math.sqrt(12),xr={value:null,low:null,high:null},tt=class{constructor(t,e,n){this.engine=t;this.
axis=e;this.region=n;this.attribute=t.attributes[e];let{count:s}=this.attribute;this.each=Math.max(1,Math.ceil(s/Gi));for(let i of F(T(n.flatMap(a=>a[e]??[[0,s]])),
[[0,s]]))this.add(i);let o=this.codes.map(i=>[i,Math.min(i+this.each,s)]);this.mass=new Float64Array(o.length);for(let i of n){let a=t.grid([e],[o],i,{within:!0});
for(let l=0;l<o.length;l+=1)this.mass[l]+=a[l]}this.mass=this.mass.map(i=>Math.max(i,0)),this.total=this.mass.reduce((i,a)=>i+a,0)}engine;axis;region;codes=[];first=[];last=[];mass;total;each;attribute;whole=null;add([
t,e]){let{attribute:n,codes:s,first:o,last:i,each:a}=this;for(let l=Math.floor(t/a)*a;l<e;l+=a){let u=n.tickAt(Math.max(t,l)),h=n.tickAt(Math.min(e,l+a,n.count))-
n.step;s[s.length-1]===l?i[i.length-1]=h:(s.push(l),o.push(u),i.push(Math.max(u,h)))}}quantile(t){let e=t*this.total,n=0;for(let s=0;s<this.mass.length;s+=1){let o=this.
mass[s];if(o>0&&n+o>=e*(1-1e-12)){let i=Math.min(1,Math.max(0,(e-n)/o));return this.first[s]+i*(this.last[s]-this.first[s])}n+=o}return null}sum(){return this.total>
0?this.mass.reduce((t,e,n)=>t+e*((this.first[n]+this.last[n])/2),0):null}mean(){let t=this.sum();return t===null?null:t/this.total}*boundedQuantiles(t){let e=yield*this.
band(t);return t.map(n=>{let s=this.quantile(n);if(s===null||!e)return{...xr,value:s};let o=0;for(;o<this.mass.length-1&&e.atMost(o+1)<n;)o+=1;let i=this.mass.length-
1;for(;i>0&&e.atLeast(i)>=n;)i-=1;return{value:s,low:Math.min(s,this.first[o]),high:Math.max(s,this.last[i])}})}*boundedMean(){let t=this.mean(),e=t===null?null:
yield*this.band([]);if(t===null||!e)return{...xr,value:t};let n=this.first.map((h,c)=>(h+this.last[c])/2),[s,o]=Ds(n,n,t,e),[i,a]=Ds(this.first,this.last,t,e),l=this.
first.map((h,c)=>this.mass[c]*(this.last[c]-h)/this.total),u=Ki*Ge(this.engine.together)*Math.hypot(...l);return{value:t,low:Math.max(i,t-Math.hypot(t-s,u)),high:Math.
min(a,t+Math.hypot(o-t,u))}}*boundedSum(){let t=this.sum(),{low:e,high:n}=yield*this.boundedMean(),s=this.answerAll();if(t===null||e===null||n===null||s.low===null)
return{...xr,value:t};let o=[e,n].flatMap(i=>[i*s.low,i*s.high]);return{value:t,low:Math.min(t,...o),high:Math.max(t,...o)}}answerAll(){return this.whole??=this.
answerOf([0,this.attribute.count]),this.whole}answerOf(t){let e=[[0,this.attribute.count]],n=this.region.map(s=>({...s,[this.axis]:F(s[this.axis]??e,[t])}));return this.
engine.answer(n.filter(s=>s[this.axis].length))}*band(t){let e=this.answerAll();if(e.low===null)return null;let n=this.edges(t),[s,o]=[[],[]],[i,a]=[0,0];for(let u of n){
for(;a<u;)i+=this.mass[a++];let h=i<=this.total/2,c=this.codes[u],m=this.answerOf(h?[0,c]:[c,this.attribute.count]);if(m.low===null)return null;let d=e.high>0?Math.
min(m.low/e.high,1):0,f=e.low>0?Math.min(m.high/e.low,1):1;s.push(h?d:1-f),o.push(h?f:1-d),yield}let l=this.mass.length;return{atLeast:u=>u===l?1:s[J(n,u)]??0,atMost:u=>u===
0?0:o[J(n,u-1)+1]??1}}edges(t){let e=this.mass.length;if(t.length===0&&e<=je||!(this.total>0))return Array.from({length:Math.max(0,Math.min(e,je)-1)},(l,u)=>u+1);
let n=t.flatMap(l=>ji.flatMap(u=>[l-u,l+u])),s=t.flatMap(l=>Vi.flatMap(u=>[l*u,1-(1-l)*u])),o=Array.from({length:je},(l,u)=>u/(je-1)),i=[];this.mass.reduce((l,u,h)=>(i[h]=
(l+u)/this.total,l+u),0);let a=(t.length?[...n,...s]:o).flatMap(l=>{let u=Wi(i,l);return[u,u+1]});return[...new Set(a)].filter(l=>l>0&&l<e).sort((l,u)=>l-u)}};function Wi(r,t){
let[e,n]=[0,r.length];for(;e<n;){let s=e+n>>1;r[s]<t?e=s+1:n=s}return e}function Ds(r,t,e,n){let[s,o]=[0,0];r.forEach((l,u)=>{let h=Math.max(o,n.atMost(u+1));s+=
l*(h-o),o=h});let[i,a]=[0,1];for(let l=t.length-1;l>=0;l-=1){let u=Math.min(a,n.atLeast(l));i+=t[l]*(a-u),a=u}return[Math.min(e,s),Math.max(e,i)]}function*Ve(r){return yield,r()}function yt(r){for(;;){let t=r.next();if(t.done)return t.value}}var zi="COUNT(non-empty cells)",Bs=1e-9;function ye(r){return r===zi?"SUM(cells)":r}function jt(r,t){let e=Yi(r,t),n=new Map,s=new Map;return{...e,value(o){let i=n.
has(o)?n.get(o)??null:e.value(o);return n.set(o,i),i},*figure(o){let i=s.get(o)??(yield*e.figure(o));return s.set(o,i),i}}}function Yi(r,t){switch(r.kind){case"\
total":return Qi(r.condition,t);case"share":return Zi(r.within,t);case"measured":return Xi(r,t);case"difference":case"ratio":return Vt(r.kind==="ratio"?4:0,e=>{
let[n,s]=[r.one,r.other].map(o=>N(t.region(e),o));return(r.kind==="ratio"?Ls:qe)(t.engine,n,s)});case"min":case"max":return ea(r,t);case"scaled":return na(jt(r.
of,t),r.factor<0,e=>e*r.factor);case"rounded":return ra(jt(r.of,t),r.decimals);default:return Ji(r,t)}}function Vt(r,t){return{digits:r,value:e=>t(e).value,figure:e=>Ve(
()=>t(e))}}function Qi(r,t){return r===Y?{...Vt(0,e=>t.answer(e)),value:e=>e.value}:Vt(0,e=>t.engine.answer(N(t.region(e),r)))}function Xi({measure:r,what:t,condition:e},n){
let{engine:s}=n,o=e===Y,i=u=>o?n.region(u):N(n.region(u),e),a=u=>Number.isNaN(u)?null:u,l=u=>o?u.value:s.counted(i(u)).value;return{...Vt(t==="sum"?1:2,u=>{let h=s.
measured(r,t).answer(i(u));return{...h,value:a(h.value)}}),value:u=>a(s.measured(r,t).value(i(u),l(u)))}}function Zi(r,t){let e=new Map,n=i=>{let a=String(r.map(
u=>i.places[u])),l=e.get(a)??t.engine.answer(t.region(i,r));return e.set(a,l),l},s=i=>{let[a,l]=[t.answer(i),n(i)],{note:u}=a,h=l.value?a.value/l.value:null;if(a.
low===null||l.low===null)return{value:h,low:null,high:null,note:u};let[c,m]=t.engine.shareBounds(a,l);return{value:h,low:c,high:m,note:u}},o=i=>n(i).value?i.value/
n(i).value:null;return{...Vt(4,s),value:o}}function Ji({kind:r,attribute:t,level:e,condition:n},s){let{engine:o}=s;if(r==="sum"&&t.isCalendar)throw new g(`${t.name}\
 is a date, so it has no sum; ask AVG(${t.name}) or MEDIAN(${t.name})`);let i=h=>N(s.region(h),n),a=h=>new tt(o,t.axis,i(h)),l=t.isCalendar?ta(t,r==="quantile"):
null,u=h=>h!==null&&l?.whole?Math.floor(h/et)*et:h;return{digits:2,...l?.printed,value:h=>u(r==="quantile"?a(h).quantile(e):a(h)[r]()),*figure(h){let c=a(h),m=r===
"quantile"?(yield*c.boundedQuantiles([e]))[0]:yield*r==="mean"?c.boundedMean():c.boundedSum(),[d,f,b]=[m.value,m.low,m.high].map(u);return{value:d,low:f,high:b,
note:o.note(i(h),[t.axis])}}}}function ta(r,t){let e=t&&r.type==="date";return{whole:e,printed:{isDate:!0,print:e?s=>r.text(s):s=>new Date(Math.round(s)).toISOString().
slice(0,19).replace("T"," ")}}}function ea({kind:r,attribute:t,condition:e},n){let s=o=>new tt(n.engine,t.axis,N(n.region(o),e));return Vt(2,o=>{let{codes:i,first:a,
last:l,each:u}=s(o),h=N(n.region(o),e),c=n.engine.jointly(n.engine.together*Math.max(1,i.length)),m=i.map(E=>c.answer(N(h,[{[t.axis]:[[E,Math.min(E+u,t.count)]]}]))),
d=n.engine.note(h,[t.axis]);if(i.length===0||m.some(({low:E})=>E===null))return{value:null,low:null,high:null,note:d};let f=m.map(({low:E})=>(E??0)>0),b=r==="ma\
x"?f.lastIndexOf(!0):f.indexOf(!0),[w,y]=[a[0],l[l.length-1]];return b<0?{value:null,low:w,high:y,note:d}:r==="max"?{value:l[b],low:a[b],high:y,note:d}:{value:a[b],
low:w,high:l[b],note:d}})}function na(r,t,e){if(r.isDate)throw new g("a date cannot be multiplied or divided; ask for it as it is");let n=s=>s===null?null:e(s);
return{digits:Math.max(r.digits,2),value:s=>n(r.value(s)),*figure(s){let{value:o,low:i,high:a,note:l}=yield*r.figure(s),u=t?[a,i]:[i,a];return{value:n(o),low:n(
u[0]),high:n(u[1]),note:l}}}}function ra(r,t){if(r.isDate)throw new g("a date cannot be rounded; ask for it as it is");let e=10**t,n=(i,a)=>i===null?null:a(i*e)/
e,s=i=>Math.floor(i+.5),o=Math.max(0,t);return{digits:o,print:i=>i.toLocaleString("en-US",{minimumFractionDigits:o,maximumFractionDigits:o}),value:i=>n(r.value(
i),s),*figure(i){let{value:a,low:l,high:u,note:h}=yield*r.figure(i);return{value:n(a,s),low:n(l,c=>Math.floor(c+Bs)),high:n(u,c=>Math.ceil(c-Bs)),note:h}}}}function Ke(r,t){
return yt(r.figure(t))}var sa="ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*), or for each measure in a column of its own",We=class{constructor(t,e,n,s){
this.engine=t;this.texts=e;this.named=n;this.plain=s}engine;texts;named;plain;measures=[];numbers=new Map;term(t){let e=this.findKey(t);if(e!==null)return{key:e};
if(t.kind==="call"&&["GROUPING","GROUPING_ID"].includes(t.name))return{grouping:t.args.map(o=>this.keyOf(o,"GROUPING"))};if(t.kind==="column"){let{name:o}=Ue(t,
this.engine)??U(t,this.engine);throw new g(`${o} must be in GROUP BY, or in one of ${ge}`)}let n=ht(t,this.engine),s=this.numbers.get(n);return s!==void 0?{measure:s}:
(this.measures.push(this.asked(t)),this.numbers.set(n,this.measures.length-1),{measure:this.measures.length-1})}findKey(t){let e=Er(t,this.named,this.engine),n=this.
texts.indexOf(ht(e,this.engine));return n<0?null:n}keyOf(t,e){let n=this.findKey(t);if(n===null)throw new g(`${e} takes what stands in GROUP BY, got ${x(k(t))}`);
return n}asked(t){if(t.kind==="call"&&t.name==="ROUND"&&t.args.length)return{kind:"rounded",of:this.asked(t.args[0]),decimals:aa(t.args[1])};let[e,n]=_t(t);if(e!==
1)return ve(this.asked(n),e);if(n.kind==="call")return this.call(n);if(n.kind==="binary"&&Ht(n))return this.arithmetic(n);throw new g(`cannot answer ${x(k(t))};\
 ask for attributes in GROUP BY, or for ${ge}`)}call(t){if(t.name==="ROUND")return this.asked(t);if(t.name==="SHARE"){if(t.filter)throw new g("SHARE takes no FI\
LTER; ask COUNT(*) FILTER (WHERE …) / COUNT(*)");return{kind:"share",within:this.partition(t.over??[])}}if(t.over)throw new g(`cannot answer ${x(k(t))} by its\
elf; ask SHARE(*)`);return this.aggregate(t,t.filter?nt(t.filter,this.engine):Y)}aggregate(t,e){if(t.distinct)throw new g("the view holds no distinct values; as\
k COUNT(*), or SELECT DISTINCT of the attribute");let n=$s(t),{argument:s}=n;if(n.what==="countif"&&s)return this.total("COUNT(*)",N(e,nt(s,this.engine)));let o=s&&
qt.of(s,this.engine);if(o)return this.ofCases(n,o,e);let i=!s||["star","number","text"].includes(s.kind);if(n.what==="count"&&i)return this.total("COUNT(*)",e);
if(!s)throw new g(`${t.name}() needs an attribute`);return this.ofColumn(n,s,e)}ofCases(t,e,n){if(t.what==="count")return this.total("COUNT(CASE …)",N(n,this.
present(e)));let s=["sum","mean"].includes(t.what)?e.number():null;if(s===null){let[u,h]=e.column(t.what==="sum");return this.ofColumn(t,u,N(n,h))}let[o,i]=s;this.
needRows(`${t.what.toUpperCase()}(CASE …)`);let[a,l]=[N(n,i),N(n,e.there)];return ve(t.what==="sum"?{kind:"total",condition:a}:{kind:"ratio",one:a,other:l},o)}present(t){
let e=t.branches.flatMap(({value:n,region:s})=>n===null?[]:[be(n)?N(s,this.there(n)):s]);return Lt(e,this.engine.sizes)}ofColumn(t,e,n){let{engine:s}=this,o=ye(
s.facts.measure);if(t.what==="sum"&&e.kind==="column"&&`SUM(${e.name})`.toLowerCase()===o.toLowerCase())return{kind:"total",condition:n};if(t.what==="sum"&&e.kind===
"number"&&e.text==="1")return this.total("COUNT(*)",n);if(e.kind!=="column")throw new g(`cannot answer ${x(k(e))}; ask for ${ge}`);let i=Ue(e,s);if(i)return oa(
t,i,n);let a=U(e,s);if(t.what==="count")return this.total("COUNT(*)",N(n,this.there(e)));if(this.needRows(`${t.what.toUpperCase()}(${a.name})`),!a.ordered)throw new g(
`${a.name} has no order, so it has no mean and no quantiles; ask COUNT(*) and group by it`);if(t.what==="min"||t.what==="max")return{kind:t.what,attribute:a,condition:n};
if(t.what==="countif")throw new g("COUNT_IF takes a condition");return{kind:t.what,attribute:a,level:t.level,condition:n}}there(t){let e=U(t,this.engine);return[
{[e.axis]:e.positions([[0,e.missingCode]])}]}total(t,e){return this.needRows(t),{kind:"total",condition:e}}needRows(t){let e=ye(this.engine.facts.measure);if(e!==
"COUNT(*)")throw new g(`this view tells ${e}, not ${t}`)}arithmetic(t){let[[e,n],[s,o]]=[_t(t.left),_t(ia(t.right))],i=t.sign==="/"&&s!==0,a=i?e/s:e;if(i&&o.kind===
"call"&&o.name==="SUM"&&o.over&&this.isWhole(n,o.args[0])){if(!this.plain)throw new g("a share by OVER counts what HAVING and ROLLUP leave; ask SHARE(*), which \
does not");return ve({kind:"share",within:this.partition(o.over)},a)}let l=[...W(t)].some(h=>h.kind==="call"&&h.over);if(Ht(n)&&Ht(o)&&!l){let[h,c]=[this.asked(
n),this.asked(o)],m=i?this.ratio(h,c):null;if(m)return ve(m,a);if(t.sign==="-"&&e===s&&h.kind==="total"&&c.kind==="total")return ve({kind:"difference",one:h.condition,
other:c.condition},a)}let u=t.sign==="+"?"join the conditions of one COUNT by OR":sa;throw new g(`cannot answer ${x(k(t))}; ${u}`)}isWhole(t,e){if(!e||ht(t,this.
engine)!==ht(e,this.engine)||t.kind!=="call")return!1;let n=this.asked(t);return n.kind==="total"&&n.condition===Y}ratio(t,e){if(e.kind!=="total")return null;if(t.
kind==="total")return{kind:"ratio",one:t.condition,other:e.condition};if(t.kind==="measured"&&t.what==="sum")return Hs(t.condition,e.condition)?{...t,what:"mean"}:
null;if(t.kind!=="sum")return null;let{axis:s,missingCode:o}=t.attribute,i=N(t.condition,[{[s]:[[0,o]]}]);return Hs(i,e.condition)?{...t,kind:"mean"}:null}partition(t){
return t.map(e=>this.keyOf(e,"PARTITION BY")).sort((e,n)=>e-n)}};function Er(r,t,e){return r.kind!=="column"||e.byName.has(r.name)||e.mapped.has(r.name)?r:t.get(
r.name.toLowerCase())??r}function Hs(r,t){return JSON.stringify(r)===JSON.stringify(t)}function oa({what:r},t,e){let{name:n}=t;if(r==="sum"||r==="mean")return{kind:"\
measured",what:r,measure:t,condition:e};if(r==="count"&&t.missing===null)return{kind:"total",condition:e};throw new g(ur(n))}function ve(r,t){return t===1?r:{kind:"\
scaled",of:r,factor:t}}function ia(r){return r.kind==="call"&&r.name==="NULLIF"&&r.args.length===2&&z(r.args[1])===0?r.args[0]:r}function aa(r){let t=r?z(r):0;if(t===
null||!Number.isInteger(t)||Math.abs(t)>15)throw new g("ROUND takes a whole number of decimals from -15 to 15");return t}var _s=4096;function qs(r,t){let{items:e,distinct:n,group:s}=r,o=new Map(e.flatMap(({expr:c,alias:m})=>m?[[m.toLowerCase(),c]]:[])),i={keys:[],texts:[],sets:[[]]},
a=c=>{let m=c.kind==="number"?ua(c,r):Er(c,o,t),d=ht(m,t);return i.texts.includes(d)||(i.keys.push(ys(m,t)),i.texts.push(d)),i.texts.indexOf(d)},l=e.map(({expr:c})=>c).
filter(c=>!Ht(c)),h=s==="all"||n&&s===null&&l.length>0?l.map(c=>({how:"plain",parts:[[c]]})):Array.isArray(s)?s:[];for(let c of h){let m=Gs(c,a);if(i.sets.length*
m.length>_s)throw Vs();i.sets=i.sets.flatMap(d=>m.map(f=>[...d,...f]))}if(i.sets=la(r,i,o,a,t),n&&s!==null){let c=new Set(e.map(({expr:m})=>ht(m,t)));if(i.sets.
length>1||i.texts.some(m=>!c.has(m)))throw new g("cannot answer DISTINCT beside GROUP BY of more than SELECT shows; leave out DISTINCT")}return i}function la({items:r},{
keys:t,texts:e,sets:n},s,o,i){let a=n;for(let{expr:l}of r){if(l.kind!=="column"||e.includes(ht(l,i))||s.has(l.name.toLowerCase()))continue;let u=Dt(l,i);if(!(u instanceof
Mt))continue;let h=t.flatMap(({attribute:m,parts:d},f)=>d.length===m.size&&Ns(m,u)?[f]:[]);if(h.length===0)continue;let c=o(l);a=a.map(m=>m.some(d=>h.includes(d))?
[...m,c]:m)}return a}function ua({text:r},{items:t}){let e=/^\d{1,5}$/.test(r)?t[Number(r)-1]:void 0;if(!e)throw new g(`there is no column ${r} in SELECT; it ha\
s ${t.length}`);return e.expr}function Gs({how:r,parts:t},e){if(r==="sets"||r==="plain")return t.flatMap(o=>Array.isArray(o)?[o.map(e)]:Gs(o,e));let n=t.map(o=>Array.
isArray(o)?o.map(e):[]);if(r==="rollup")return[...n.keys(),n.length].reverse().map(o=>n.slice(0,o).flat());if(n.length>12)throw Vs();return[...n.keys(),n.length].
reverse().flatMap(o=>js(n,o)).map(o=>o.flat())}function js(r,t){return t===0?[[]]:r.flatMap((e,n)=>js(r.slice(n+1),t-1).map(s=>[e,...s]))}function Vs(){return new g(
`the question has more than ${_s} grouping sets; name fewer attributes in CUBE`)}var Ks="compare what stands in SELECT or GROUP BY with plain values, joined by AND, OR and NOT";function Ye(r,t,e){let n=Mr(r,e);return t.filter(s=>n(s)===!0)}function Mr(r,t){
if(r.kind==="not"){let e=Mr(r.of,t);return n=>ca(e(n))}if(r.kind==="and"||r.kind==="or")return Ar(r.parts.map(e=>Mr(e,t)),r.kind==="or");if(r.kind==="compare")return ze(
r.sign,r.left,r.right,t);if(r.kind==="is null"){let{of:e}=t(r.of);return n=>e(n)===null}if(r.kind==="between"){let e=[ze(">=",r.of,r.low,t),ze("<=",r.of,r.high,
t)];return Ar(e,!1)}if(r.kind==="in")return Ar(r.values.map(e=>ze("=",r.of,e,t)),!0);if(r.kind==="like"){let[{of:e,kind:n},s]=[t(r.of),gr(r)];if(n!=="string")throw new g(
`cannot answer ${x(k(r))}; LIKE is about text`);return o=>{let i=e(o);return i===null?null:s(String(i))}}throw new g(`cannot answer ${x(k(r))}; ${Ks}`)}function ze(r,t,e,n){
let s=[t,e].map(m=>G(m)?null:n(m)),o=s.find(m=>m!==null);if(!o)throw new g(`cannot answer ${x(k(t))} ${r} …; ${Ks}`);let i=[t,e].flatMap(m=>G(m)?[L(m).text]:[]),
a=s.map(m=>m?.kind??o.kind),l=a.includes("day")||a.includes("moment")&&i.some(m=>Ft.test(m)),u=m=>l&&typeof m=="number"?Math.floor(m/et)*et:m,[h,c]=s.map((m,d)=>{
if(m)return b=>u(m.of(b));let f=u(ha(o.kind,L(d?e:t).text));return()=>f});return m=>{let[d,f]=[h(m),c(m)];return d===null||f===null?null:typeof d==typeof f?De[r](
d,f):De[r](Number(d),Number(f))}}function ha(r,t){if(r==="string")return t;let e=r==="number"?Number(t):Date.parse(`${t.trim().replace(" ","T")}${Ft.test(t)?"":
"Z"}`);if(t.trim()===""||!Number.isFinite(e))throw new g(`a ${r==="number"?"measure is compared with a number":"date is compared with a date"}, not '${t}'`);return e}
function ca(r){return r===null?null:!r}function Ar(r,t){return e=>{let n=!1;for(let s of r){let o=s(e);if(o===t)return t;o===null&&(n=!0)}return n?null:!t}}function Qe(r,t,e){switch(t.kind){case"rounded":return Qe(r.kind==="call"?r.args[0]:r,t.of,e);case"scaled":{let n=Qe(_t(r)[1],t.of,e);return["share","difference",
"ratio"].includes(t.of.kind)?n:`scaled_${n}`}case"share":case"difference":case"ratio":return t.kind;case"min":case"max":return`${t.kind}_${t.attribute.name}`;case"\
measured":return`${t.what==="sum"?"sum":"avg"}_${t.measure.name}`;case"mean":case"sum":case"quantile":{let n=[...W(r)].some(o=>o.kind==="call"&&o.name==="MEDIAN"),
s={mean:"avg",sum:"sum",quantile:`q${Number((100*t.level).toPrecision(6))}`}[t.kind];return`${n?"median":s}_${t.attribute.name}`}default:return ma(r,e)}}function ma(r,t){
let n=[...W(r)].filter(o=>o.kind==="call").some(({name:o})=>o==="SUM")?"sum":"count";if(r.kind!=="call"||r.filter||!r.args[0]||qt.of(r.args[0],t))return n;let[s]=r.
args;return s.kind==="column"?`${n}_${Dt(s,t)?.name??s.name}`:n}var xe=["","_low","_high"],pa=["value","low","high"],da="(all)";function pt(r){return"figure"in r}function Xe(r,{kind:t,labels:e,texts:n},s){let o=(i,a)=>l=>{let u=l.
places[s];return u===null?a:i[u]};return{name:r,kind:t,text:o(n,da),key:o(e,null)}}function Ze(r){return pt(r)?{kind:r.isDate?"moment":"number",of:t=>r.value(t)}:
{kind:r.kind,of:t=>r.key(t)}}function Kt(r,t){if(r.kind!=="column"||r.table)return null;for(let e of t){let n=xe.findIndex(s=>`${e.name}${s}`.toLowerCase()===r.
name.toLowerCase());if(n===0)return Ze(e);if(n>0&&pt(e))return{kind:e.isDate?"moment":"number",of:s=>Ke(e,s)[pa[n]]}}return null}function Je(r,t){if(r.kind!=="n\
umber")return null;let e=/^\d{1,5}$/.test(r.text)?t[Number(r.text)-1]:void 0;if(!e)throw new g(`there is no column ${r.text} in SELECT; it has ${t.length}`);return Ze(
e)}function tn(r,t,e){let n=t.map(o=>({...o,of:e(o.expr).of})),s=({of:o,down:i,nullsFirst:a},l,u)=>kr(o(l),o(u),{down:i,nullsFirst:a});r.sort((o,i)=>n.reduce((a,l)=>a||
s(l,o,i),0))}function kr(r,t,{down:e=!1,nullsFirst:n=!1}={}){let s=o=>+(o===null);return r===null||t===null?(s(r)-s(t))*(n?-1:1):(r<t?-1:+(r>t))*(e?-1:1)}function Ee(r){
let t=new Set;for(let e of r)for(let n of pt(e)?xe:xe.slice(0,1)){let s=`${e.name}${n}`;if(t.has(s.toLowerCase()))throw new g(`two columns would be called ${x(s)}\
; name one of them with AS`);t.add(s.toLowerCase())}return r}var Ws="over a result ask for its columns, * or MIN and MAX of columns, with WHERE, ORDER BY and LIMIT";function Sr({items:r}){return r.some(({expr:t})=>[...W(t)].
some(Ys))}function zs(r,t){for(let[a,l]of[["GROUP BY",r.group],["HAVING",r.having],["DISTINCT",r.distinct]])if(l)throw new g(`cannot answer ${a} over a result; \
use it in the SELECT from the view; ${Ws}`);let e=a=>{let l=Kt(a,t.columns);if(!l)throw new g(`the result has no column ${x(k(a))}; it has ${Xs(t)}`);return l},
n=r.where?Ye(r.where,t.rows,e):[...t.rows],s=r.limit===null?void 0:r.offset+r.limit;if(Sr(r)){if(r.order.length||!r.items.every(({expr:u})=>Ys(u)))throw new g("\
MIN and MAX of a result make one row; ask for them alone, without ORDER BY");let a=r.items.map(u=>ga(u,u.expr,t,n)),l={places:[],value:0,answer:null};return{columns:Ee(
a),rows:[l].slice(r.offset,s),note:t.note}}let o=fa(r.items,t).flatMap(a=>Qs(a,t)),i=new Map(r.items.flatMap(({expr:a,alias:l})=>l?[[l.toLowerCase(),a]]:[]));return tn(
n,r.order,a=>{let l=a.kind==="column"&&!Kt(a,t.columns)?i.get(a.name.toLowerCase()):null;return Je(a,o)??e(l??a)}),{columns:Ee(o),rows:n.slice(r.offset,s),note:t.
note}}function Ys(r){return r.kind==="call"&&(r.name==="MIN"||r.name==="MAX")}function fa(r,t){let e=new Set(r.flatMap(({expr:o,alias:i})=>o.kind==="column"&&!i?
[o.name.toLowerCase()]:[])),s=t.columns.filter(o=>pt(o)&&e.has(o.name.toLowerCase())).flatMap(({name:o})=>xe.slice(1).map(i=>`${o}${i}`.toLowerCase()));return r.
filter(({expr:o,alias:i})=>i||o.kind!=="column"||!s.includes(o.name.toLowerCase()))}function Qs({expr:r,alias:t},e){if(r.kind==="star")return e.columns;if(r.kind!==
"column"||r.table)throw new g(`cannot answer ${x(k(r))} of a result; ${Ws}`);let n=e.columns.find(({name:i})=>i.toLowerCase()===r.name.toLowerCase());if(n)return[
{...n,name:t??n.name}];let s=Kt(r,e.columns);if(!s)throw new g(`the result has no column ${x(r.name)}; it has ${Xs(e)}`);let o=i=>String(s.of(i)??"unknown");return[
{name:t??r.name,kind:s.kind,text:o,key:s.of}]}function ga({alias:r},{name:t,args:[e]},n,s){let[o]=Qs({expr:e,alias:null},n),i=r??`${t.toLowerCase()}_${o.name}`,
a=u=>u.length?u.reduce((h,c)=>h<c==(t==="MIN")?h:c):null;if(!pt(o)){let u=s.filter(m=>o.key(m)!==null),h=a(u.map(m=>o.key(m))),c=u.find(m=>o.key(m)===h);return{
name:i,kind:o.kind,text:()=>c?o.text(c):"none",key:()=>h}}let l=()=>{let u=s.map(d=>Ke(o,d)),h=d=>u.map(f=>f[d]).filter(f=>f!==null),c=["low","high"].map(d=>h(d).
length===s.length?a(h(d)):null),m=u.find(d=>d.note)?.note;return{value:a(h("value")),low:c[0],high:c[1],note:m}};return{...o,name:i,value:()=>l().value,figure:()=>Ve(
l)}}function Xs({columns:r}){return r.map(({name:t})=>t).join(", ")}var dt="ask one SELECT of keys and measures FROM view, with WHERE, GROUP BY, HAVING, ORDER BY and LIMIT",ba=200,wa="SELECT FROM WHERE GROUP HAVING ORDER LIMIT O\
FFSET BY AND OR NOT AS JOIN OVER PARTITION FILTER UNION CASE WHEN THEN ELSE END BETWEEN IN IS LIKE ILIKE NULL DISTINCT WITH ON QUALIFY WINDOW EXCEPT INTERSECT U\
SING LATERAL".split(" "),en=class{constructor(t){this.tokens=t}tokens;at=0;depth=0;deeper(t){if(this.depth+=1,this.depth>ba)throw new g(`the question is nested \
too deeply; ${dt}`);let e=t();return this.depth-=1,e}withText(t){let e=this.at,n=t(),s=this.tokens.slice(e,this.at).map(o=>o.raw);return[n,s.join(" ").replace(/ ?([().]) ?| (?=,)/g,
"$1")]}name(t){let e=this.next();if(e.kind!=="quoted"&&!Zs(e))throw new g(`expected ${t} and found ${x(e.text)}; ${dt}`);return e}alias(){let t=this.peek();return this.
take("AS")||t.kind==="quoted"||Zs(t)?this.name("a name after AS").text:null}whole(t){let e=this.next();if(e.kind!=="number"||!/^\d{1,9}$/.test(e.text))throw new g(
`${t} takes a whole number from 0, got ${x(e.text)}`);return Number(e.text)}list(t){let e=[t()];for(;this.take(",");)e.push(t());return e}inside(t){this.expect(
"(");let e=this.deeper(t);return this.expect(")"),e}peek(t=0){return this.tokens[Math.min(this.at+t,this.tokens.length-1)]}next(){let t=this.peek();return t.kind!==
"end"&&(this.at+=1),t}take(...t){return t.some((e,n)=>this.peek(n).upper!==e)?!1:(this.at+=t.length,!0)}expect(t){if(!this.take(t))throw new g(`expected ${t} an\
d found ${x(this.peek().text)}; ${dt}`)}refuse(t){throw new g(`cannot answer ${x(t)}; ${dt}`)}};function Zs({kind:r,upper:t}){return r==="word"&&!wa.includes(t)}var ya=["=","<>","!=","<","<=",">",">="],va=["DATE","TIMESTAMP"],nn=class extends en{expression(){return this.deeper(()=>Fe(...this.withText(()=>this.chain("or",
()=>this.chain("and",()=>this.negation())))))}chain(t,e){let n=[e()];for(;this.take(t.toUpperCase());)n.push(e());return n.length===1?n[0]:{kind:t,parts:n}}negation(){
return this.take("NOT")?{kind:"not",of:this.deeper(()=>this.negation())}:this.comparison()}comparison(){let t=this.sum();if(ya.includes(this.peek().text)&&this.
peek().kind==="sign")return{kind:"compare",sign:this.next().text.replace("!=","<>"),left:t,right:this.sum()};if(this.take("IS"))return this.negated(this.take("N\
OT"),this.isNull(t));let e=this.take("NOT"),n=this.tested(t);if(n)return this.negated(e,n);if(e)throw new g(`after NOT comes BETWEEN, IN or LIKE; ${dt}`);return t}negated(t,e){
return t?{kind:"not",of:e}:e}isNull(t){return this.expect("NULL"),{kind:"is null",of:t}}tested(t){if(this.take("BETWEEN")){let s=this.sum();return this.expect("\
AND"),{kind:"between",of:t,low:s,high:this.sum()}}if(this.take("IN"))return{kind:"in",of:t,values:this.inside(()=>this.list(()=>this.sum()))};let e=this.take("I\
LIKE");if(!e&&!this.take("LIKE"))return null;let n=this.sum();return{kind:"like",of:t,pattern:n,fold:e,escaping:this.take("ESCAPE")?this.next().text:""}}sum(){let t=()=>this.
binary(["*","/","//"],()=>Fe(...this.withText(()=>this.signed())));return this.deeper(()=>Fe(...this.withText(()=>this.binary(["+","-"],t))))}binary(t,e){let n=e();
for(;this.peek().kind==="sign"&&t.includes(this.peek().text);)n={kind:"binary",sign:this.next().text,left:n,right:e()};return n}signed(){if(this.take("+"))return this.
deeper(()=>this.signed());if(this.take("-"))return{kind:"minus",of:this.deeper(()=>this.signed())};let t=this.primary();for(;this.take("::");)t={kind:"cast",of:t,
type:this.typeName()};return t}primary(){let t=this.peek();if(t.kind==="number"||t.kind==="text")return{kind:t.kind,text:this.next().text};if(this.take("*"))return{
kind:"star"};if(this.take("NULL"))return{kind:"null"};if(this.take("CASE"))return this.deeper(()=>this.cases());if(t.upper==="("){let s=this.inside(()=>this.list(
()=>this.expression()));return s.length===1?s[0]:{kind:"list",parts:s}}let e=this.peek(1).upper==="("&&t.kind==="word";if(["TRUE","FALSE"].includes(t.upper)&&!e)
return{kind:"boolean",value:this.next().upper==="TRUE"};if(va.includes(t.upper)&&this.peek(1).kind==="text")return{kind:"cast",type:this.next().upper,of:{kind:"\
text",text:this.next().text}};let n=this.name("an attribute or a measure");return e?this.called(n.upper):this.column(n.text,n.kind==="quoted")}column(t,e){if(!this.
take("."))return{kind:"column",table:null,name:t,quoted:e};if(this.take("*"))return{kind:"star"};let{text:n,kind:s}=this.name("a column");return{kind:"column",table:t,
name:n,quoted:s==="quoted"}}called(t){if(t==="CAST"||t==="TRY_CAST")return this.inside(()=>{let n=this.expression();return this.expect("AS"),{kind:"cast",of:n,type:this.
typeName()}});if(t==="EXTRACT")return this.inside(()=>{let n=this.next().text;return this.expect("FROM"),{kind:"extract",part:n,of:this.expression()}});let e={kind:"\
call",name:t,args:[],distinct:!1,sorted:null,down:!1,filter:null,over:null};return this.inside(()=>{e.distinct=this.take("DISTINCT"),this.peek().upper!==")"&&(e.
args=this.list(()=>this.expression()))}),t==="IF"&&e.args.length>=2?{kind:"case",whens:[e.args[0]],thens:[e.args[1],e.args[2]??{kind:"null"}]}:this.followed(e)}followed(t){
return this.take("WITHIN","GROUP")&&this.inside(()=>{this.expect("ORDER"),this.expect("BY"),t.sorted=this.expression(),t.down=this.take("DESC"),t.down||this.take(
"ASC")}),this.take("FILTER")&&(t.filter=this.inside(()=>(this.expect("WHERE"),this.expression()))),this.take("OVER")&&(t.over=this.inside(()=>{let e=this.take("\
PARTITION","BY")?this.list(()=>this.expression()):[];if(this.peek().upper!==")")throw new g("a share is OVER () or OVER (PARTITION BY …), without ORDER BY");return e})),
t}cases(){let t=this.peek().upper==="WHEN"?null:this.expression(),e=[],n=[];for(;this.take("WHEN");){let s=this.expression();e.push(t?{kind:"compare",sign:"=",left:t,
right:s}:s),this.expect("THEN"),n.push(this.expression())}return e.length===0&&this.expect("WHEN"),n.push(this.take("ELSE")?this.expression():{kind:"null"}),this.
expect("END"),{kind:"case",whens:e,thens:n}}typeName(){let t=this.next();if(t.kind!=="word")throw new g(`expected a type and found ${x(t.text)}; ${dt}`);return this.
peek().upper==="("&&this.inside(()=>this.list(()=>this.whole("a type"))),t.upper}};var Js={ROLLUP:"rollup",CUBE:"cube"};function eo(r){return new Ir(ds(r)).statement()}var Ir=class extends nn{statement(){let t=this.select();return this.take(";"),
this.peek().kind!=="end"&&this.refuse(this.peek().text),t}select(){let t=this.take("WITH")?this.list(()=>this.namedResult()):[];this.expect("SELECT");let e=this.
take("DISTINCT");if(e&&this.peek().upper==="ON")throw new g("cannot answer DISTINCT ON; ask SELECT DISTINCT of keys, or GROUP BY");let n=this.list(()=>({expr:this.
expression(),alias:this.alias()}));this.expect("FROM");let s=this.source(),o=this.take("WHERE")?this.expression():null,i=this.take("GROUP","BY")?this.grouping():
null,a=this.take("HAVING")?this.expression():null,l=this.take("ORDER","BY")?this.list(()=>this.ordering()):[],u=this.take("LIMIT")?this.whole("LIMIT"):null,h=this.
take("OFFSET")?this.whole("OFFSET"):0;return{named:t,distinct:e,items:n,from:s,where:o,group:i,having:a,order:l,limit:u,offset:h}}namedResult(){if(this.peek().upper===
"RECURSIVE")throw new g("cannot answer WITH RECURSIVE; name plain SELECTs in WITH");let{text:t}=this.name("a name for a result");return this.expect("AS"),[t.toLowerCase(),
this.inside(()=>this.select())]}source(){if(this.peek().upper==="(")return{table:this.inside(()=>this.select()),alias:this.alias()??"",simultaneous:!1};let t=this.
name("the table, which is called view").text,e=this.peek().upper==="(";e&&this.inside(()=>{if(!this.take("SIMULTANEOUS"))throw new g("ask FROM view, or FROM vie\
w(simultaneous) for intervals that hold all together")});let n={table:t,alias:this.alias()??"",simultaneous:e},s=this.peek();if(s.upper===","||s.upper==="JOIN")
throw new g(`cannot answer JOIN; ${dt}`);return n}grouping(){if(this.take("ALL"))return"all";let t=this.list(()=>this.groupingPart());for(let[e,n]of Object.entries(
Js))if(this.take("WITH",e))return[{how:n,parts:t.flatMap(s=>s.parts)}];return t}groupingPart(){for(let[t,e]of Object.entries(Js))if(this.peek(1).upper==="("&&this.
take(t))return{how:e,parts:this.inside(()=>this.list(()=>to(this.expression())))};return this.take("GROUPING","SETS")?{how:"sets",parts:this.inside(()=>this.list(
()=>this.oneSet()))}:{how:"plain",parts:[to(this.expression())]}}oneSet(){if(this.take("(",")"))return[];let t=this.groupingPart();return t.how==="plain"?t.parts[0]:
t}ordering(){let t=this.expression(),e=this.take("DESC");e||this.take("ASC");let n=this.take("NULLS","FIRST");return!n&&this.take("NULLS")&&this.expect("LAST"),
{expr:t,down:e,nullsFirst:n}}};function to(r){return r.kind==="list"?r.parts:[r]}var xa=1e4,Wt=class{constructor(t,e,n,s=[n.map((o,i)=>i)]){this.engine=t;this.where=e;this.keys=n;this.rows=s.flatMap(o=>this.groups([...new Set(o)].sort((i,a)=>i-
a)))}engine;where;keys;rows;region(t,e=this.keys.map((n,s)=>s)){let n=this.where;for(let s of e){let o=t.places[s];if(o===null)continue;let{parts:i,attribute:a}=this.
keys[s];n=n.flatMap(l=>{let u=ts(i[o],l[a.axis]);return u.length?[{...l,[a.axis]:u}]:[]})}return n}answer(t){return t.answer??=this.engine.answer(this.region(t),
t.value),t.answer}groups(t){let e=t.map(a=>this.meeting(this.keys[a])),n=e.reduce((a,l)=>a*l.length,1);if(n>xa){let a=n.toLocaleString("en-US");throw new g(`tha\
t gives ${a} rows; group by fewer attributes, or narrow them down first`)}let s=Array.from({length:n},(a,l)=>{let u=this.keys.map(()=>null),h=l;for(let c=t.length-
1;c>=0;c-=1)u[t[c]]=e[c][h%e[c].length],h=Math.floor(h/e[c].length);return{places:u,value:0,answer:null}}),o=t.map(a=>this.keys[a].attribute.axis);if(new Set(o).
size<o.length)for(let a of s)a.value=this.engine.answer(this.region(a)).value;else this.addTotals(s,t,o,e);return this.where.length===1&&new Set(o).size===o.length||
t.length===0?s:s.filter(a=>this.region(a).length>0)}meeting({parts:t,attribute:e}){let n=(s,{[e.axis]:o})=>!o||F(s,o).length>0;return t.flatMap((s,o)=>this.where.
some(i=>n(s,i))?[o]:[])}addTotals(t,e,n,s){let o=e.map((i,a)=>s[a].flatMap((l,u)=>this.keys[i].parts[l].map(h=>[h,u])));for(let i of this.where){let a=o.map(l=>l.
map(([u])=>u));this.engine.grid(n,a,i,{within:!0}).forEach((l,u)=>{let[h,c,m]=[u,1,0];for(let d=o.length-1;d>=0;d-=1)m+=o[d][h%o[d].length][1]*c,c*=s[d].length,
h=Math.floor(h/o[d].length);t[m].value+=l})}}};var Ea="DISTINCT lists the values of the public domain; whether rows have them, only counts can tell";function rn(r,t,{simultaneous:e=!1}={}){return no(r,eo(t),
new Map,e)}function no(r,t,e,n){let s=new Map(e);for(let[i,a]of t.named)s.set(i,{select:a,known:new Map(s)});let o=Aa(t,s,r);return o?zs(t,no(r,o.select,o.known,
n||Sr(t))):ka(r,t,n||t.from.simultaneous)}function Aa(r,t,e){let{table:n,alias:s,simultaneous:o}=r.from,i=typeof n=="string"?n.toLowerCase():"",a=[i,s.toLowerCase()];
for(let c of Ma(r))for(let m of W(c))m.kind==="column"&&m.table&&a.includes(m.table.toLowerCase())&&(m.table=null);if(typeof n!="string")return{select:n,known:t};
let l=t.get(i);if(l&&!o)return l;let{tables:u}=e.facts;if(u.includes(i))return null;let h=[...u,...t.keys()].filter(c=>c!=="view").slice(0,5);throw new g(`there\
 is no table ${x(n)}; ask FROM ${["view",...h.map(x)].join(" or ")}`)}function Ma({items:r,order:t,where:e,having:n,group:s}){let o=Array.isArray(s)?s.flatMap(ro):
[];return[...r,...t].map(({expr:i})=>i).concat(e??[],n??[],o)}function ro({parts:r}){return r.flatMap(t=>Array.isArray(t)?t:ro(t))}function ka(r,t,e){let n=r.jointly(
1);if(t.items.some(({expr:M})=>M.kind==="star"))throw new g("the view holds no rows, so it has no *; ask for COUNT(*), and for attributes in GROUP BY");let{keys:s,
texts:o,sets:i}=qs(t,n),a=new Map(t.items.flatMap(({expr:M,alias:R})=>R?[[R.toLowerCase(),M]]:[])),l=new We(n,o,a,t.having===null&&i.length===1),u=t.items.map(({
expr:M})=>l.term(M)),h=new Wt(n,nt(t.where,n),s,i),c=h.rows;e&&(n.together=c.length*l.measures.length);let m=new Map,d=(M,R)=>{if("key"in M)return Xe(R,s[M.key],
M.key);if("grouping"in M)return Sa(R,M.grouping);let H=m.get(M.measure)??jt(l.measures[M.measure],h);return m.set(M.measure,H),{...H,name:R}},f=t.items.map(({expr:M,
alias:R},H)=>d(u[H],R??S(M,u[H]))),b=M=>Kt(M,f)??Ze(d(l.term(M),"")),w=t.having?Ye(t.having,c,b):[...c];tn(w,t.order,M=>Je(M,f)??b(M));let y=t.limit===null?void 0:
t.offset+t.limit,E=t.distinct&&l.measures.length===0?Ea:"";return{columns:Ee(f),rows:w.slice(t.offset,y),note:E};function S(M,R){return"key"in R?M.kind==="colum\
n"?s[R.key].attribute.name:k(M):"grouping"in R?"grouping":Qe(M,l.measures[R.measure],n)}}function Sa(r,t){let e=n=>t.reduce((s,o)=>2*s+ +(n.places[o]===null),0);
return{name:r,kind:"number",text:n=>String(e(n)),key:e}}var Ae=["year","quarter","month","week","day","hour"];function P({engine:r,grains:t},e){let n=t[e.axis]?.unit;return r.levelsOf(e).find(({name:s})=>s===n)??null}
function Nr(r,t){let e=P(r,t);if(!e)return null;let[n,s]=r.grains[t.axis]?.window??[0,t.count];return e.parts.map(([i])=>i).filter(([i,a],l)=>l>=e.count||n<=i&&
a<=s)}function zt(r,t,e,n=e){let s=t.special.map(a=>[a,a+1]);if(!t.ordered){let a=Nr(r,t);if(a)return[...a.slice(0,-s.length||void 0).slice(0,e),...s];let[l,u]=r.
grains[t.axis]?.window??[0,t.count];return[...r.engine.largestNames(t.axis).filter(m=>l<=m&&m<u).slice(0,e).map(m=>[m,m+1]),...s]}if(!t.isCalendar)return t.displayBins(
e);let o=r.grains[t.axis],i=o&&At(t,o.unit,n,o.window??void 0);return i?[...i,...s]:Na(t,e)}var Ia=40;function Na(r,t){let e=r.displayBins(t);if(r.count<=t)return e;
let n=e.filter(([o])=>o>=r.count),s=Ae.map(o=>At(r,o,Math.min(t,Ia))).findLast(o=>o&&o.length>1);return s?[...s,...n]:e}function D(r,t,e=null){return e?e.describe(
e.parts.findIndex(([n])=>n[0]===t[0])):r.isCalendar&&t[0]<r.count?Re(r,t):r.describeBin(t)}function St(r,t,e,n=null){if(n)return D(r,e,n);if(!r.ordered||e[0]>=r.
count)return r.describe(e[0]);if(!r.isCalendar)return r.text(r.tickAt(e[0]));let s=t.filter(([o])=>o<r.count);return cs(r,s,e)}function Or({measures:r}){let t=e=>[{what:"sum",measure:e},{what:"mean",measure:e}];return[null,...r.flatMap(t)]}function Yt(r){return r?`${r.what}.${r.measure.
name}`:"rows"}function sn(r,t){return Or(t).find(e=>Yt(e)===r)??null}function I(r){return r?.what==="mean"}function C({low:r,high:t},e){return e?.what!=="mean"||
r===null||t===null?!1:r<=e.measure.min&&t>=e.measure.max}function Qt(r){if(!r)return[0,1/0];let{what:t,measure:e}=r;return t==="mean"?[e.min,e.max]:[e.min>=0?0:
-1/0,e.max<=0?0:1/0]}var Oa="http://www.w3.org/2000/svg";function p(r,t={},...e){return oo(document.createElement(r),t,e)}function v(r,t={},...e){return oo(document.createElementNS(
Oa,r),t,e)}function $(r,t){for(let[e,n]of Object.entries(t))n===null||n===!1?r.removeAttribute(e):r.getAttribute(e)!==String(n)&&r.setAttribute(e,n===!0?"":String(
n))}var so=0;function O(r){return so+=1,`${r}-${so}`}function oo(r,t,e){for(let[n,s]of Object.entries(t))typeof s=="function"?r.addEventListener(n.slice(2),s):s!==
null&&s!==!1&&s!==void 0&&r.setAttribute(n,s===!0?"":String(s));for(let n of e)n!=null&&r.append(typeof n=="number"?String(n):n);return r}var Ta=Array.from({length:10},(r,t)=>new Intl.NumberFormat("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})),Ca=new Intl.NumberFormat("en-US",{notation:"\
compact",maximumSignificantDigits:3});function A(r,t=0){let e=Ta[t].format(r);return/[1-9]/.test(e)?e:e.replace("-","")}function it({value:r,stderr:t,low:e,high:n}){
if(e===null)return 0;let s=Math.max(t??0,n===null?0:(n-e)/2/2.12);return s===0?Number.isInteger(r)?0:3:Math.min(9,Math.max(0,1-Math.floor(Math.log10(s))))}function on({
value:r}){return Number.isNaN(r)}function j(r){return on(r)?"none":A(r.value,it(r))}function ft(r){if(on(r))return"no row can be there";if(r.low===null)return"e\
rror unknown";let t=it(r);return`${A(r.low,t)} to ${A(r.high,t)}`}function io(r){return r.low===null?`${j(r)} (${ft(r)})`:`${j(r)} (95 %: ${ft(r)})`}function Xt(r){
return Ca.format(r).replace("K","k")}function an(r,t,e=0){if(!(r>e))return[0];let n=(r-e)/t,s=10**Math.floor(Math.log10(n)),o=([1,2,5].find(a=>a*s>=n)??10)*s,i=[];
for(let a=Math.ceil(e/o*.9999);a*o<=r+(r-e)*1e-4;a+=1)i.push(a*o+0);return i}function ln(r,t){return r.length<=t?r:`${r.slice(0,Math.max(1,t-1))}…`}var un=class{constructor(t,e){this.store=t;this.attribute=e;let n=O("bars"),s=e.count,o=Ae.filter(i=>At(e,i,s)?.length);this.options=o.map(i=>p("option",{value:i},
`${i}s`)),this.select=p("select",{id:n,onchange:()=>this.choose(this.select.value)},p("option",{value:""},"automatic"),...this.options),this.element=p("p",{class:"\
chooser",hidden:o.length===0},p("label",{for:n},"Bars",p("span",{class:"unseen"},` of ${e.title}`)),this.select,this.hint)}store;attribute;element;select;options;hint=p(
"span",{class:"note"});draw(){let{axis:t}=this.attribute,e=this.store.grains[t];this.select.value=e?.unit??"";let n=!1;for(let i of this.options)i.disabled=!this.
grainOf(i.value),n||=i.disabled;let s=e?.window,o=s&&`only ${this.attribute.describeRange(...s)}; Clear draws all`;this.hint.textContent=o??(n?"select a shorter\
 range for finer bars":"")}grainOf(t){let{attribute:e,store:n}=this;if(At(e,t,hn))return{unit:t,window:null};let s=n.grains[e.axis]?.window??$a(n.filters[e.axis],
e.count);return s&&At(e,t,hn,s)?{unit:t,window:s}:null}choose(t){let{[this.attribute.axis]:e,...n}=this.store.grains,s=t?this.grainOf(t):null;this.store.choose(
"grains",s?{...n,[this.attribute.axis]:s}:n)}};function $a(r,t){let e=r?.filter(([s])=>s<t)??[],n=e[e.length-1];return n?[Math.floor(e[0][0]),Math.min(Math.ceil(
n[1]),t)]:null}var ao=10,cn=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.choose=n;this.ends=["low","high"].map((s,o)=>this.grip(s,o)),this.element=v("g",{class:"\
brushing"},this.area,this.chosen,...this.ends.map(({element:s})=>s)),this.element.addEventListener("pointerdown",s=>this.press(s)),this.element.addEventListener(
"pointermove",s=>this.drag(s));for(let s of["pointerup","pointercancel"])this.element.addEventListener(s,()=>this.release())}attribute;bins;choose;element;tint=v(
"rect",{class:"tint",visibility:"hidden"});range=null;held=null;area=v("rect",{class:"brush-area"});chosen=v("rect",{class:"brush",visibility:"hidden"});ends;x=()=>0;top=0;bottom=0;grip(t,e){
let n=v("line"),s=v("rect",{rx:3,width:6,height:22,x:-3}),o={class:"grip",tabindex:0,role:"slider","aria-label":`${this.attribute.title}, ${t} end of the range`,
onkeydown:i=>this.key(i,e)};return{element:v("g",o,n,s),line:n,handle:s}}place(t,e,n){Object.assign(this,{x:t,top:e,bottom:n});let s=this.bins[this.bins.length-
1][1],o=this.bins[0][0];$(this.area,{x:t(o),width:t(s)-t(o),y:e,height:n-e})}draw(t){this.range=t;let[e,n]=[this.bins[0][0],this.bins[this.bins.length-1][1]],[s,
o]=t??[e,n],[i,a]=[this.x(s),this.x(o)],l={x:i,width:Math.max(1,a-i),y:this.top,height:this.bottom-this.top};for(let u of[this.tint,this.chosen])$(u,{...l,visibility:t?
"visible":"hidden"});this.ends.forEach(({element:u,line:h,handle:c},m)=>{$(u,{transform:`translate(${m===0?i:a} 0)`,class:t?"grip held":"grip","aria-valuemin":e,
"aria-valuemax":n,"aria-valuenow":m===0?s:o,"aria-valuetext":this.say(m===0?s:o,m)}),$(h,{y1:this.top,y2:this.bottom}),$(c,{y:(this.top+this.bottom)/2-11})})}say(t,e){
let n=this.attribute.tickAt(t);return this.attribute.text(e===0?n:n-this.attribute.step)}barAt(t){let e=t.clientX-(this.area.ownerSVGElement?.getBoundingClientRect().
left??0),n=this.bins.findIndex(([,s])=>e<this.x(s));return n<0?this.bins.length-1:n}press(t){if(t.button!==0)return;let{target:e}=t,n=this.ends.findIndex(({element:o})=>e instanceof
Node&&o.contains(e)),s=this.range!==null&&e===this.chosen;this.held={grip:n,bar:this.barAt(t),moved:!1,moving:s,span:this.barsOf(this.range)},this.element.setPointerCapture(
t.pointerId),t.preventDefault()}drag(t){if(!this.held)return;let{grip:e,bar:n,moving:s,span:o}=this.held,i=this.barAt(t);if(!(i===n&&!this.held.moved))if(this.held.
moved=!0,e>=0&&o){let a=e===0?o[1]:o[0];this.chooseBars(Math.min(a,i),Math.max(a,i))}else if(s&&o){let a=Math.max(-o[0],Math.min(this.bins.length-1-o[1],i-n));this.
chooseBars(o[0]+a,o[1]+a)}else this.chooseBars(Math.min(n,i),Math.max(n,i))}release(){let{held:t}=this;if(this.held=null,!t||t.moved||t.grip>=0)return;t.span&&t.
span[0]===t.bar&&t.span[1]===t.bar?this.pick(null):this.chooseBars(t.bar,t.bar)}key(t,e){let n=this.bins.length-1,s=this.barsOf(this.range)??[0,n],o={ArrowLeft:-1,
ArrowDown:-1,ArrowRight:1,ArrowUp:1,PageDown:-ao,PageUp:ao,Home:-n,End:n};if(t.key==="Escape"||t.key==="Delete")this.pick(null);else if(t.key in o){let i=e===0?
[0,s[1]]:[s[0],n];s[e]=Math.max(i[0],Math.min(i[1],s[e]+o[t.key])),this.chooseBars(...s)}else return;t.preventDefault()}barsOf(t){if(!t)return null;let e=this.bins.
findIndex(([,s])=>s>t[0]),n=this.bins.findLastIndex(([s])=>s<t[1]);return[e,n]}chooseBars(t,e){let n=t===0&&e===this.bins.length-1;this.pick(n&&!this.held?null:
[this.bins[t][0],this.bins[e][1]])}pick(t){this.range=t,this.choose(t)}};var lo=.06,uo=.6;function It(r,t,e){let s=Array.from(r,(b,w)=>w).filter(b=>!Number.isNaN(r[b])).filter(b=>!t||!C(t[b],e)),[o,i]=[Math.min,Math.max].map(b=>b(0,...s.
map(w=>r[w]))),a=t?Math.min(0,...s.map(b=>t[b].low??0)):0,l=t?Math.max(0,...s.map(b=>t[b].high??0)):0,[u,h]=Qt(e);if(e?.what==="mean"&&s.length===0)return{bottom:Math.
min(0,u),top:Math.max(0,h)};let c=u<0?i-o:i,m=Math.max(i+lo*c,Math.min(l,i+uo*c)),d=u<0?Math.min(o-lo*c,Math.max(a,o-uo*c)):0,f={bottom:o<0||a<0?d:0,top:i>0||l>
0?m:0};return f.top>f.bottom?f:{bottom:0,top:1}}function Nt({bottom:r,top:t},e,n){return n===null||e>=r&&e<=t}function Zt({bottom:r,top:t},e){return Math.min(1,
Math.max(0,((e||0)-r)/(t-r)))}var gt="too few rows",Ra="the numbers mostly assume that they are independent.";function Jt({measure:r,counted:t}){let e=/^SUM\((.*)\)$/s.exec(r);return r==="CO\
UNT(*)"?t:e?`sum of ${e[1]}`:r.replace(/^COUNT\((.*)\)$/,"$1")}function at({engine:r,quantity:t}){return t?te(t):Jt(r.facts)}function te({what:r,measure:t}){return`${r}\
 of ${t.name}`}function co({min:r,max:t,missing:e},{counted:n}){let s=a=>String(Number(a.toPrecision(6))),o=e===null?"are left out":`count as ${s(e)}`,i=`${n[0].
toUpperCase()}${n.slice(1)}`;return`Values from ${s(r)} to ${s(t)}; others count as the nearer end. ${i} without a value ${o}.`}function ee(r,t){return C(r,t)?`${gt}\
 (95 %: ${ft(r)})`:io(r)}function mo(r,{engine:t,quantity:e}){if(!e)return La(r,t.facts);let n=te(e);return on(r)?`There is no ${n}: no row can be there`:r.low===
null?`The ${n} is about ${A(r.value)}; the error is unknown`:C(r,e)?`Too few ${t.facts.counted} to tell the ${n}`:`The ${n} is ${Fa(r)}`}function Fa({value:r,low:t,
high:e}){let n=(e-t)/2;if(!(n>0))return A(r,it({value:r,low:t,high:e}));let s=10**Math.floor(Math.log10(n)),o=Math.min(9,Math.max(0,-Math.floor(Math.log10(n)))),
i=Math.round(r/s)*s,a=Math.max(e-i,i-t),l=10**(Math.floor(Math.log10(a))-1),u=Math.ceil(a/l-1e-9)*l,h=Math.min(9,Math.max(0,-Math.floor(Math.log10(l)+1e-9)));return`\
about ${A(i,o)}, give or take ${A(u,h)}`}function La(r,t){let e=t.measure==="COUNT(*)",n=Jt(t),s=m=>e?`${m} ${n}`:`the ${n} is ${m}`,o=m=>m[0].toUpperCase()+m.slice(
1),{value:i,low:a,high:l}=r;if(a===null)return`${o(s(`about ${A(i)}`))}; the error is unknown`;if(l-a<1)return o(s(e?A(i):A(i,2)));let u=10**Math.max(0,Math.round(
Math.log10((l-a)/2))),h=Math.round(i/u)*u;if(a<=0)return o(s(`between 0 and ${A(ho(l))}`));let c=ho(Math.max(l-h,h-a));return`${o(s(`about ${A(h)}`))}, give or \
take ${A(c)}`}function ho(r){let t=10**Math.max(0,Math.floor(Math.log10(r))-1);return Math.ceil(r/t-1e-9)*t}function lt(r,t,e=[]){let n=r.note(t,e);if(n!==Gt)return mn(
n);let s=t.flatMap(a=>Object.keys(a).map(Number)),o=[...new Set([...s,...e])].sort((a,l)=>a-l);return`How ${Tr(o.map(a=>r.attributes[a].title))} depend on each \
other was not measured closely enough here: ${Ra}`}function mn(r){return r&&`${r[0].toUpperCase()}${r.slice(1)}.`}function Tr(r){return r.length<2?r.join(""):`${r.
slice(0,-1).join(", ")} and ${r[r.length-1]}`}function ne(r,t){let e=Object.entries(t).map(([n,s])=>{let o=r.attributes[Number(n)];return`${o.title} ${o.describeIntervals(
s)}`});return e.length?e.join("; "):`all ${r.facts.counted}`}var re=150,B={left:44,right:10,top:8,bottom:22},po=6.6,Ua=9,Pa=[1,2,5,10,20,25,50,100],pn=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.starts=e.map(
([s])=>s),this.bars=e.map(()=>v("rect",{class:"column"})),this.brush=new cn(t,e,n),this.picture=v("svg",{class:"histogram",height:re,role:"group","aria-label":`\
Histogram of ${t.title}`},this.axis,this.brush.tint,v("g",{"aria-hidden":"true"},...this.bars),this.halo,this.band,this.line,this.brush.element),this.picture.addEventListener(
"pointermove",s=>this.tell(s)),this.picture.addEventListener("pointerleave",()=>{this.told.textContent=this.summary}),this.element=p("div",{class:"plot"},this.picture,
this.told)}attribute;bins;element;bars;picture;halo=v("path",{class:"halo"});band=v("path",{class:"band"});line=v("path",{class:"level"});axis=v("g",{class:"axi\
s","aria-hidden":"true"});told=p("p",{class:"told","aria-hidden":"true"});brush;starts;summary="";width=0;scale={bottom:0,top:1};quantity=null;values=null;answers=null;range=null;filtered=!1;resize(){
let t=Math.max(160,Math.floor(this.element.clientWidth));t!==this.width&&(this.width=t,$(this.picture,{width:t,viewBox:`0 0 ${t} ${re}`}),this.brush.place(e=>this.
x(e),B.top,re-B.bottom),this.values&&this.paint(this.values))}x(t){let e=Math.max(0,J(this.starts,t)),[n,s]=this.bins[e],o=e+Math.min(1,Math.max(0,(t-n)/(s-n)));
return B.left+o/this.bins.length*(this.width-B.left-B.right)}draw(t,e,n,s){let o=I(e)&&e===this.quantity?this.values:null;o||(this.answers=null),Object.assign(this,
{quantity:e,range:n,filtered:s,values:I(e)?o:t}),I(e)||(this.answers=null),this.width||this.resize(),this.values&&this.paint(this.values)}summarize(t){this.told.
textContent===this.summary&&(this.told.textContent=t),this.summary=t}drawErrors(t){this.answers=t,I(this.quantity)&&(this.values=Float64Array.from(t,({value:e})=>e)),
this.values&&this.paint(this.values)}paint(t){this.scale=It(t,this.answers,this.quantity);let e=this.y(0),n=t.map((u,h)=>Number(this.isUntold(h))),s=this.bins.length>
60?.5:1;this.bins.forEach(([u,h],c)=>{let[m,d]=n[c]?[B.top,re-B.bottom]:[e,this.y(t[c])].sort((b,w)=>b-w),f=!this.filtered||this.range&&u<this.range[1]&&h>this.
range[0];$(this.bars[c],{x:this.x(u)+s/2,width:Math.max(.5,this.x(h)-this.x(u)-s),y:m,height:d-m,class:`column${n[c]?" untold":f?"":" out"}`})}),this.paintBand(),
this.paintAxis(),this.brush.draw(this.range);let o=[...t.keys()].filter(u=>!n[u]);if(o.length===0)return;let i=o.reduce((u,h)=>t[h]>t[u]?h:u);if(t[i]<0&&!this.quantity)
return;let a=D(this.attribute,this.bins[i]),l=this.quantity&&this.answers?j(this.answers[i]):A(t[i]);$(this.picture,{"aria-label":`Histogram of ${this.attribute.
title}; the largest bar is ${a} with ${l}`})}isUntold(t){return this.answers!==null&&C(this.answers[t],this.quantity)}paintBand(){let t=this.answers?.filter(o=>o.
low!==null)??[],e=t.length===this.bins.length,n=(this.width-B.left-B.right)/this.bins.length>=Ua;this.picture.classList.toggle("banded",e&&!n);let s=e&&n?this.errorBars(
t):null;$(this.halo,{d:s}),$(this.line,{d:e&&!n?this.levelLine():null}),$(this.band,{d:s??(e?this.steps(t):null),class:n?"band bars":"band"})}errorBars(t){let e=Math.
min(4,(this.x(this.bins[0][1])-this.x(this.bins[0][0]))/4);return this.bins.map(([s,o],i)=>{if(this.isUntold(i))return"";let a=(this.x(s)+this.x(o))/2,[l,u]=[this.
y(t[i].low),this.y(t[i].high)],h=(c,m)=>Nt(this.scale,c,this.quantity)?`M${a-e},${m}h${2*e}`:"";return`M${a},${l}V${u}${h(t[i].low,l)}${h(t[i].high,u)}`}).join(
"")}levelLine(){return this.bins.map(([e,n],s)=>{if(this.isUntold(s))return"";let o=this.y(this.values?.[s]??0);return`${s&&!this.isUntold(s-1)?"":"M"}${this.x(
e)},${o} ${this.x(n)},${o}`}).join(" ")}steps(t){let e=this.bins.map(([s,o],i)=>`${this.x(s)},${this.y(t[i].high)} ${this.x(o)},${this.y(t[i].high)}`),n=this.bins.
map(([s,o],i)=>`${this.x(o)},${this.y(t[i].low)} ${this.x(s)},${this.y(t[i].low)}`);return`M${e.join(" ")} ${n.reverse().join(" ")}Z`}paintAxis(){let t=an(this.
scale.top,3,this.scale.bottom).map(e=>v("g",{},v("line",{x1:B.left,x2:this.width-B.right,y1:this.y(e),y2:this.y(e)}),v("text",{x:B.left-6,y:this.y(e)+4,"text-an\
chor":"end"},Xt(e))));for(let[e,n]of this.marks())t.push(v("text",{x:e,y:re-6,"text-anchor":"middle"},n));this.axis.replaceChildren(...t)}marks(){let{attribute:t,
bins:e,width:n}=this,s=e.map(m=>St(t,e,m)),o=Math.max(...s.map(m=>m.length))*po+10,i=Pa.find(m=>m*(this.x(e[0][1])-this.x(e[0][0]))>=o)??e.length,a=e[0][1]-e[0][0],
l=t.bins.width&&!t.isCalendar,u=m=>l?t.edge(m)/(t.bins.width??1)/a:NaN,h=e.findIndex(([m])=>u(m)%i===0),c=[];for(let m=Math.max(h,0);m<e.length;m+=i){let[d,f]=e[m],
w=f-d===1&&t.step>0||t.isCalendar?(this.x(d)+this.x(f))/2:this.x(d),y=s[m].length*po/2;w-y>=0&&w+y<=n&&c.push([w,s[m]])}return c}tell(t){let e=t.clientX-this.picture.
getBoundingClientRect().left,n=this.bins.findIndex(([o,i])=>e>=this.x(o)&&e<this.x(i));if(n<0||!this.values){this.told.textContent=this.summary;return}let s=this.
answers?ee(this.answers[n],this.quantity):A(this.values[n]);this.told.textContent=`${D(this.attribute,this.bins[n])}: ${s}`}y(t){let e=re-B.top-B.bottom;return B.
top+e*(1-Zt(this.scale,t))}};var fo="",dn=class{constructor(t,e){this.store=t;this.attribute=e;let n=O("bars"),s=t.engine.levelsOf(e);this.select=p("select",{id:n,onchange:()=>this.choose(this.
select.value)},...s.map(({name:o})=>p("option",{value:o},o)),p("option",{value:fo},e.name)),this.element=p("p",{class:"chooser",hidden:s.length===0},p("label",{
for:n},"Bars",p("span",{class:"unseen"},` of ${e.title}`)),this.select,this.hint)}store;attribute;element;select;hint=p("span",{class:"note"});draw(){let{store:t,
attribute:e}=this;this.select.value=P(t,e)?.name??fo;let n=t.grains[e.axis]?.window;this.hint.textContent=n?"only what was selected; Clear draws all":""}choose(t){
let{[this.attribute.axis]:e,...n}=this.store.grains,s=e?.window??Da(this.store.filters[this.attribute.axis],this.attribute.count),o=t||s?{...n,[this.attribute.axis]:{
unit:t,window:s}}:n;this.store.choose("grains",o)}};function Da(r,t){let e=r?.filter(([s])=>s<t)??[],n=e[e.length-1];return n?[Math.floor(e[0][0]),Math.min(Math.
ceil(n[1]),t)]:null}var Ba=/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,Ha=/^['"`‘’“”\p{Z}\p{C}]*?[=+\-@\u2212\p{Cc}]/u;function go(r){return!Ba.test(r)&&Ha.test(r.normalize("\
NFKC"))}var _a=2;function fn(r,t){let e=(i,a)=>p("button",{type:"button",onclick:()=>{a(),o.open=!1,n.focus()},"aria-label":`${r}: save ${i}`},i),n=p("summary",{"aria-l\
abel":`Save ${r}`},"Save"),s=()=>new XMLSerializer().serializeToString(t.picture()),o=p("details",{class:"menu",onkeydown:i=>i.key==="Escape"&&n.click()},n,p("d\
iv",{},e("SVG",()=>Me(`${t.name()}.svg`,new Blob([s()],{type:"image/svg+xml"}))),e("PNG",()=>{qa(`${t.name()}.png`,t.picture())}),e("CSV",()=>Me(`${t.name()}.cs\
v`,new Blob([$r(t.table())],{type:Cr})))));return o}var Cr="text/csv;charset=utf-8";function Me(r,t){let e=URL.createObjectURL(t);p("a",{href:e,download:r}).click(),
setTimeout(()=>URL.revokeObjectURL(e),1e3)}async function qa(r,t){let[e,n]=["width","height"].map(i=>_a*Number(t.getAttribute(i))),s=new Image;s.src=`data:image\
/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(t))}`,await s.decode();let o=p("canvas",{width:e,height:n});o.getContext("2d")?.
drawImage(s,0,0,e,n),o.toBlob(i=>i&&Me(r,i),"image/png")}function $r(r){return`${r.map(t=>t.map(Ga).join(",")).join(`\r
`)}\r
`}function Ga(r){let t=go(r)?`'${r}`:r;return/[",\r\n]/.test(t)?`"${t.replaceAll('"','""')}"`:t}function gn(r){return r.normalize("NFKD").replace(/[^\w]+/g,"-").
replace(/^-+|-+$/g,"").slice(0,60)||"chart"}var ja=24,bn=10,wn=class{element;lines;special;more;fewer;all=!1;wanted="";list;scale={bottom:0,top:1};quantity=null;constructor(t,e,n,s){this.lines=e.map(i=>{let a=p(
"input",{type:"checkbox",onchange:()=>s(this.chosen())}),l=p("span",{class:"bar-fill"}),u=p("span",{class:"whisker",hidden:!0}),h=p("span",{class:"total"}),c=D(
t,i,n),m=p("label",{title:c},a,p("span",{class:i[0]>=t.count?"name special":"name"},c===""?"(empty)":c),p("span",{class:"track","aria-hidden":"true"},l,u),h);return{
bin:i,box:a,bar:l,whisker:u,total:h,label:m,item:p("li",{},m)}}),this.list=p("ul",{class:"named"},...this.lines.map(({item:i})=>i));let o=p("input",{type:"searc\
h",class:"find",placeholder:"Find a name","aria-label":`Find a name of ${t.title}`,oninput:()=>this.find(o.value)});this.more=p("button",{type:"button",class:"q\
uiet",onclick:()=>this.turn()}),this.element=p("div",{},e.length>ja?o:null,this.list,this.more),this.fewer=`Show the ${bn} ${t.isPeriod?"first":"largest"}`,this.
special=this.lines.filter(({bin:i})=>i[0]>=t.count).length}find(t){this.wanted=t.trim().toLowerCase(),this.hide()}turn(){this.all=!this.all,this.hide()}hide(){let t=this.
lines.length-this.special,e=!this.all&&this.wanted===""&&t>bn+2;this.lines.forEach(({label:n,item:s,box:o},i)=>{let a=i<bn||i>=t||o.checked;s.hidden=e?!a:!n.title.
toLowerCase().includes(this.wanted)}),this.more.hidden=t<=bn+2||this.wanted!=="",this.more.textContent=this.all?this.fewer:`Show all ${A(t)}`}chosen(){return this.
lines.filter(({box:t})=>t.checked).map(({bin:t})=>t)}draw(t,e,n,s,o){let i=new Set(s.map(([l])=>l)),a=I(e)&&e===this.quantity;this.quantity=e,this.lines.forEach(
({bin:l,box:u,total:h,label:c,whisker:m},d)=>{u.checked=i.has(l[0]),c.classList.toggle("out",o&&!i.has(l[0])),!a&&(m.hidden=!0,h.textContent=I(e)?"…":A(t[d]))}),
a||this.place(I(e)?t.map(()=>NaN):t,n),this.hide()}place(t,e){this.scale=e;let n=this.percent(0);this.list.classList.toggle("signed",e.bottom<0),this.list.style.
setProperty("--zero",`${n}%`),this.lines.forEach(({bar:s,label:o},i)=>{let a=this.percent(Number.isNaN(t[i])?0:t[i]);s.style.left=`${Math.min(n,a)}%`,s.style.width=
`${Math.abs(a-n)}%`,o.classList.remove("untold")})}drawErrors(t,e){if(I(this.quantity)){let n=t.map(s=>C(s,this.quantity)?NaN:s.value);this.place(n,e)}this.lines.
forEach(({whisker:n,total:s,label:o},i)=>{let a=t[i];if(s.title=a?ee(a,this.quantity):"",!a)return;let l=C(a,this.quantity);o.classList.toggle("untold",l),this.
quantity&&(s.textContent=l?gt:j(a)),n.hidden=a.low===null||l,a.low!==null&&(n.classList.toggle("from-beyond",!Nt(this.scale,a.low,this.quantity)),n.classList.toggle(
"to-beyond",!Nt(this.scale,a.high,this.quantity)),n.style.left=`${this.percent(a.low)}%`,n.style.width=`${this.percent(a.high)-this.percent(a.low)}%`)})}percent(t){
return 100*Zt(this.scale,t)}};var q=class{element=p("p",{class:"note unmeasured",hidden:!0});draw(t){this.element.hidden=t==="",this.element.textContent=t}};function yn(r){return p("small",{
class:"tag",title:r},"taken as independent")}var Va="fill fill-opacity stroke stroke-width stroke-opacity opacity font-size visibility".split(" "),Ka="system-ui, sans-serif",vn=20,Rr=170,Wa=26,xn=12;function En(r,t,e){
let[n,s]=["width","height"].map(l=>Number(r.getAttribute(l))),o=za(r);for(let[l,u]of Object.entries({x:xn,y:44,width:n,height:s}))o.setAttribute(l,`${u}`);let i=Ot(
"--ink"),a={width:n+2*xn,height:s+56+18*e.length};return v("svg",{xmlns:"http://www.w3.org/2000/svg",...a,"font-family":Ka,"font-size":12},v("rect",{...a,fill:Ot(
"--paper")}),v("text",{x:xn,y:28,"font-size":16,"font-weight":600,fill:i},t),o,...e.map((l,u)=>v("text",{x:xn,y:s+60+18*u,fill:Ot("--quiet")},l)))}function bo(r,t,e,n){
let o=Math.max(1e-9,...Array.from(t),...e.map(({high:u})=>u??0)),i=n?It(t,e.length?e:null,n):{bottom:0,top:o},a=u=>Rr+Zt(i,u)*(640-Rr-90),l=r.flatMap((u,h)=>{let c=h*
vn,m=e[h]&&C(e[h],n),{low:d,high:f}=!m&&e[h]||{low:null,high:null},b=m?0:t[h],[w,y]=[a(0),a(b)].sort((X,Rt)=>X-Rt),E=n&&e[h]?j(e[h]):A(t[h]),S=(X,Rt,ui={})=>v("\
text",{x:X,y:c+14,fill:Ot("--ink"),"font-size":12,...ui},Rt),M=c+vn/2,H=(d===null?[]:[d,f].filter(X=>Nt(i,X,n))).map(X=>`M${a(X)} ${M-4}v8`).join(""),$t=d===null?
"":`M${a(d)} ${M}H${a(f)}${H}`;return[S(Rr-8,ln(u,Wa),{"text-anchor":"end"}),v("rect",{x:w,y:c+3,width:y-w,height:vn-6,fill:Ot("--fill")}),v("path",{d:$t,fill:"\
none",stroke:Ot("--paper"),"stroke-width":3.5}),v("path",{d:$t,fill:"none",stroke:Ot("--band"),"stroke-width":1.5}),S(Math.max(y,a(f??0))+8,m?gt:E)]});return v(
"svg",{width:640,height:r.length*vn+4},...l)}function Ot(r){return getComputedStyle(document.documentElement).getPropertyValue(r).trim()}function za(r){let t=r.
cloneNode(!0);if(!r.isConnected)return t;let[e,n]=[r,t].map(s=>[s,...s.querySelectorAll("*")]);return e.forEach((s,o)=>{let i=getComputedStyle(s);for(let a of Va)
n[o].setAttribute(a,i.getPropertyValue(a));for(let a of["class","tabindex","role","aria-label","aria-labelledby","aria-describedby"])n[o].removeAttribute(a)}),t}function An(r,t,e){let n=p("tbody",{role:"rowgroup"},...e);return ke(r,p("tr",{role:"row"},...t),n)}function ke(r,t,e){return p("div",{class:"scroll",tabindex:0,
role:"region","aria-label":r},p("table",{role:"table"},p("caption",{class:"unseen"},r),p("thead",{role:"rowgroup"},t),e))}function vt(...r){return p("tr",{role:"\
row"},...r)}function bt(r,...t){return p("th",{scope:"col",role:"columnheader",...r},...t)}function V(r,t,...e){return p(r,{...r==="th"?{scope:"row",role:"rowhe\
ader"}:{role:"cell"},...t},...e)}var Mn=class{constructor(t){this.store=t;let e=O("quantiles");this.input=p("input",{type:"text",inputmode:"decimal",onchange:()=>this.read()}),this.element=p("s\
ection",{class:"panel",id:"quantiles","aria-labelledby":e},p("header",{},p("h2",{id:e},"Quantiles"),p("label",{class:"chooser"},p("span",{},"Percent below"),this.
input)),this.problem,ke("Quantiles of what is selected",this.head,this.body),p("p",{class:"note"},"In brackets: the bounds that the 95 % intervals of the totals\
 below and above allow. Missing and other values are left out."),this.foot.element)}store;element;input;problem=p("p",{class:"problem",role:"alert",hidden:!0});head=p(
"tr",{role:"row"});body=p("tbody",{role:"rowgroup"});foot=new q;rows=[];get axes(){let{shown:t,engine:e}=this.store;return t.filter(n=>e.attributes[n].ordered)}draw(){
let{shares:t,engine:e,filters:n}=this.store;this.element.hidden=this.axes.length===0,document.activeElement!==this.input&&(this.input.value=t.map(wo).join(", "));
let s=t.map(i=>`${wo(i)} %`);this.head.replaceChildren(bt({class:"left"},"attribute"),...s.map(i=>bt({},i)));let o=this.axes.map(i=>lt(e,[n],[i]));this.foot.draw(
o.filter(Boolean).join(" ")),this.rows=this.axes.map((i,a)=>{let{title:l,unit:u}=e.attributes[i],h=V("th",{class:"left"},u?`${l} (${u})`:l);return o[a]&&h.append(
yn(o[a])),vt(h,...s.map(c=>V("td",{"data-label":c},"…")))}),this.body.replaceChildren(...this.rows)}*fill(){let{shares:t,engine:e,filters:n}=this.store,{axes:s,
rows:o}=this;for(let[i,a]of s.entries()){let l=e.attributes[a],u=new tt(e,a,[n]);t.forEach((h,c)=>{let m=u.quantile(h);o[i].children[c+1].textContent=m===null?"\
–":Se(l,m)}),yield}for(let[i,a]of s.entries()){let l=e.attributes[a],u=this.store.engineFor(t.length*s.length);(yield*new tt(u,a,[n]).boundedQuantiles(t)).forEach(
(c,m)=>{c.value!==null&&o[i].children[m+1].append(p("small",{},Ya(l,c)))})}}read(){let t=this.input.value.split(/[\s,;%]+/).filter(Boolean).map(n=>Number(n)/100),
e=t.length>0&&t.length<=20&&t.every(n=>n>=0&&n<=1);this.problem.hidden=e,this.problem.textContent=e?"":"give percentages from 0 to 100, such as 25, 50, 75",e&&this.
store.choose("shares",t)}};function Se(r,t){if(r.isCalendar)return r.brief(t);let e=(r.edge(r.count)-r.edge(0))/1e3,n=Math.max(0,Math.min(6,-Math.floor(Math.log10(
e))));return t.toLocaleString("en-US",{maximumFractionDigits:n,useGrouping:!1})}function Ya(r,{low:t,high:e}){return t===null||e===null?"":` (${Se(r,t)} to ${Se(
r,e)})`}function wo(r){return Number((r*100).toFixed(6))}var Qa={integer:"number",number:"number",date:"date",timestamp:"text"},kn=class{constructor(t,e){this.attribute=t;this.choose=e;let n=o=>p("input",{type:Qa[t.type],
step:t.type==="number"?"any":null,"aria-label":`${t.title} ${o}`,onchange:()=>this.read()});this.low=n("from"),this.high=n("to"),this.element=p("div",{class:"en\
ds"},this.low,p("span",{"aria-hidden":"true"},"to"),this.high,this.problem);let s=[t.text(t.edge(0)),t.text(t.edge(t.count)-t.step)];[this.low.placeholder,this.
high.placeholder]=s}attribute;choose;element;low;high;problem=p("p",{class:"problem",role:"alert",hidden:!0});draw(t){let{attribute:e}=this;this.low.value=t?e.text(
e.tickAt(t[0])):"",this.high.value=t?e.text(e.tickAt(t[1])-e.step):"",this.problem.hidden=!0}read(){let[t,e]=[this.low,this.high].map(n=>n.value.trim()===""?null:
n.value);try{if(this.problem.hidden=!0,t===null&&e===null)this.choose(null);else{let[n]=Et(this.attribute,t,e);if(!n)throw new g(`${this.attribute.name}: no val\
ue lies in that range`);this.choose(n)}}catch(n){if(!(n instanceof g))throw n;this.problem.textContent=n.message,this.problem.hidden=!1}}};var Xa=100,hn=400,Fr=1e3,Sn=class{constructor(t,e){this.store=t;this.attribute=e;let n=O("card"),{axis:s,title:o,unit:i,description:a}=e;this.clear=p("button",{
type:"button",class:"quiet",onclick:()=>t.filter(s,null)},"Clear"),this.grain=e.isCalendar?new un(t,e):null,!e.ordered&&t.engine.levelsOf(e).length&&(this.grain=
new dn(t,e)),this.inputs=e.ordered?new kn(e,h=>this.choose(h,this.ticked())):null;let l=fn(o,{name:()=>gn(o),picture:()=>this.picture(),table:()=>this.table()}),
u=p("h3",{id:n},o,i?p("small",{},i):null);this.element=p("section",{class:"card","aria-labelledby":n},p("header",{},u,p("span",{class:"acts"},this.clear,l)),a?p(
"p",{class:"note"},a):null,this.grain?.element,this.note.element,this.body),this.arrange()}store;attribute;element;bins=[];values=new Float64Array(0);answers=[];regular=[];clear;note=new q;grain;body=p(
"div",{});inputs;histogram=null;named=null;level=null;arrange(){let{attribute:t,store:e}=this,n=zt(e,t,t.ordered?Xa:Fr,hn),s=P(e,t);if(String(n)===String(this.bins)&&
s===this.level)return;this.level=s,this.bins=n,this.regular=n.filter(([h])=>h<t.count);let o=n.slice(this.namedFrom);this.histogram=t.ordered?new pn(t,this.regular,
h=>this.choose(h,this.ticked())):null,this.named=o.length?new wn(t,o,s,h=>this.choose(this.range(),h)):null;let i=!t.ordered&&!s&&t.count>Fr,[a,l]=[Fr,t.count].
map(h=>A(h)),u=[this.histogram?.element,this.inputs?.element,this.named?.element,t.isCalendar?p("p",{class:"note"},hs(t,this.regular)):null,i?p("p",{class:"note"},
`The ${a} largest of ${l} names; ask for others in SQL.`):null];this.body.replaceChildren(...u.filter(h=>h instanceof HTMLElement))}draw(t){let{engine:e,filters:n,
quantity:s}=this.store;this.values=t,this.answers=[];let o=this.attribute.axis in n;this.element.classList.toggle("filtered",o),this.clear.hidden=!o,this.note.draw(
lt(e,[n],[this.attribute.axis])),this.grain?.draw(),this.histogram?.draw(t.subarray(0,this.regular.length),s,this.range(),o),this.inputs?.draw(this.range()),this.
named?.draw(t.subarray(this.namedFrom),s,this.scale,this.ticked(),o)}get scale(){let{quantity:t}=this.store;return t?I(t)?this.answers.length?It(this.values,this.
answers,t):{bottom:0,top:1}:It(this.values,null,t):{bottom:0,top:1.08*Math.max(0,...this.values)||1}}drawErrors(t,e){this.answers=t;let n=e.flatMap(a=>a===null?
[]:[Se(this.attribute,a)]),[s,o,i]=n;this.histogram?.summarize(n.length?`median ${o}, interquartile range ${s} to ${i}`:""),this.histogram?.drawErrors(t.slice(0,
this.regular.length)),this.named?.drawErrors(t.slice(this.namedFrom),this.scale)}resize(){this.histogram?.resize()}picture(){let{engine:t,filters:e,quantity:n}=this.
store,{title:s,unit:o,axis:i}=this.attribute,a=Math.min(this.bins.length,60),l=this.bins.slice(0,a).map(m=>D(this.attribute,m,this.level)),u=this.histogram?.picture??
bo(l,this.values,this.answers,n),{[i]:h,...c}=e;return En(u,o?`${s} (${o})`:s,[`${t.facts.title}: ${at(this.store)} with 95 % intervals`,ne(t,c)])}table(){let t=this.
bins.map((e,n)=>{let{low:s,high:o}=this.answers[n]??{low:null,high:null},i=Number.isNaN(this.values[n])?"":String(this.values[n]);return[D(this.attribute,e,this.
level),i,String(s??""),String(o??"")]});return[[this.attribute.title,at(this.store),"low","high"],...t]}get namedFrom(){return this.attribute.ordered?this.regular.
length:0}range(){let t=this.store.filters[this.attribute.axis];if(!t||!this.attribute.ordered)return null;let e=t.filter(([n])=>n<this.attribute.count);return e.
length===0?null:[e[0][0],Math.min(e[e.length-1][1],this.attribute.count)]}ticked(){let t=this.store.filters[this.attribute.axis]??[];return this.bins.slice(this.
namedFrom).filter(([n,s])=>t.some(([o,i])=>o<=n&&s<=i))}choose(t,e){let n=[...e];t&&t[0]<t[1]&&n.unshift(t),this.store.filter(this.attribute.axis,n.length?T(n):
null)}};function yo(r,t,e,{measure:n,counted:s}){let o=n==="COUNT(*)",[i,a,l]=o?["more","fewer",s]:["a larger","a smaller",n],{value:u,low:h,high:c}=r,m=`Cannot tell wh\
ether ${t} or ${e} has ${i} ${l}`;if(u!==null&&Number.isNaN(u))return`${m}: no row can be in one of them.`;if(u===null||h===null||c===null)return`${m}: the erro\
r is unknown.`;let d=E=>A(E,it(r));if(h===0&&c===0)return`${t} and ${e} are the same.`;if(h<=0&&c>=0)return`${m}: the difference is ${d(h)} to ${d(c)} (95 %).`;
let f=h>0?i:a,[b,w]=h>0?[h,c]:[-c,-h],y=o?`${d(Math.abs(u))} ${f}`:`by ${d(Math.abs(u))}`;return`${t} has ${f} ${l} than ${e}: ${y} (${d(b)} to ${d(w)}, 95 %).`}var vo=["A","B"];function Za(r,t){let[e,n]=t.map(o=>r.answer(o)),s=e.value-n.value;return e.low===null||n.low===null?{value:s,low:null,high:null}:{value:Number.
isNaN(s)?null:s,low:e.low-n.high,high:e.high-n.low}}var In=class{constructor(t){this.store=t;let e=O("compare"),n=o=>p("button",{type:"button",onclick:()=>this.
take(o)},`Use the selection as ${vo[o]}`),s=p("button",{type:"button",class:"quiet",onclick:()=>this.swap()},"Swap");this.element=p("section",{class:"panel comp\
are","aria-labelledby":e},p("header",{},p("h2",{id:e},"Compare two selections")),this.verdict,this.place,this.note.element,p("p",{class:"acts"},n(0),n(1),s),p("\
p",{class:"note"},"Select with the charts, take the selection as A, select something else, take it as B."))}store;element;verdict=p("p",{class:"verdict",role:"s\
tatus"});place=p("div",{});note=new q;take(t){let e=[...this.store.compared];e[t]=this.store.filters,this.store.choose("compared",e)}swap(){let[t,e]=this.store.
compared;this.store.choose("compared",[e,t])}draw(){let{engine:t,compared:e,quantity:n}=this.store,s=e.map(y=>ne(t,y)),o=n?Za(t.jointly(2).measured(n.measure,n.
what),e):qe(t,[e[0]],[e[1]]),i=n?{measure:te(n),counted:""}:t.facts;this.verdict.textContent=yo(o,s[0],s[1],i);let a=at(this.store),l=(y,E,S,M)=>vt(V("th",{class:"\
left"},y),V("td",{class:"left wraps","data-label":"selection"},E),V("td",{"data-label":a},S),V("td",{"data-label":"95 % interval"},M)),u=e.map((y,E)=>{let S=this.
store.asked().answer(y),M=C(S,n)?gt:j(S);return l(vo[E],s[E],M,ft(S))}),{value:h,low:c,high:m}=o,d=y=>A(y??0,it(o)),f=c===null||m===null?"error unknown":`${d(c)}\
 to ${d(m)}`;u.push(l("A − B","difference",h===null||Number.isNaN(h)?"unknown":d(h),f));let w=["","selection",a,"95 % interval"].map((y,E)=>bt({class:E<2?"lef\
t":null},y||p("span",{class:"unseen"},"side")));this.place.replaceChildren(An("Two selections compared",w,u)),this.note.draw(e.map(y=>lt(t,[y])).find(Boolean)??
"")}};var Nn=class{constructor(t){this.store=t;this.clear=p("button",{type:"button",class:"quiet",onclick:()=>t.clear()},"Clear all"),this.link=p("button",{type:"butt\
on",class:"quiet",onclick:()=>this.copy()},"Copy link"),this.element=p("section",{class:"bar","aria-label":"Selected"},p("div",{class:"bar-in"},p("div",{},this.
words,p("p",{class:"figure"},p("span",{class:"measure"},"estimate"),this.value,this.range,this.part)),p("div",{class:"filters"},this.chips,p("span",{class:"acts"},
this.clear,this.link))),this.note.element,this.spoken)}store;element;words=p("p",{class:"count",id:"words"});value=p("strong",{id:"count"});range=p("span",{class:"\
range",id:"range"});note=new q;part=p("span",{class:"part"});spoken=p("p",{class:"unseen",role:"status","aria-live":"polite"});chips=p("ul",{class:"chips","aria\
-label":"Filters"});clear;link;timer=0;draw(t,e){let{engine:n,filters:s,quantity:o}=this.store,i=t.low!==null;this.words.textContent=mo(t,this.store),this.value.
textContent=j(t),this.range.textContent=`${i?"95 % interval ":""}${ft(t)}`;let a=lt(n,[s]);this.note.draw(a);let l=e.value>0?100*t.value/e.value:0,u=Object.keys(
s).length>0,c=u&&e.value>0&&Qt(o)[0]>=0&&!I(o)?[`${A(l,l<10?1:0)} % of all`]:[];o&&c.push(`over about ${A(n.answer(s).value)} ${Jt(n.facts)}`),this.part.textContent=
c.join(", "),this.clear.hidden=!u,this.chips.replaceChildren(...this.chipsOf()),clearTimeout(this.timer),this.timer=window.setTimeout(()=>{let m=`${i?"between ":
""}${ft(t)}`,d=o?`${this.words.textContent}, ${m}`:`${j(t)} selected, ${m}`;this.spoken.textContent=[d,a].filter(Boolean).join("; ")},400)}chipsOf(){let{engine:t,
filters:e}=this.store,n=Object.entries(e).map(([s,o])=>{let i=t.attributes[Number(s)],a=i.describeIntervals(o),l={type:"button",onclick:()=>this.store.filter(Number(
s),null)};return p("li",{},p("span",{class:"chip-name"},i.title),` ${a} `,p("button",{...l,"aria-label":`Remove the filter on ${i.title}`},"×"))});return n.length?
n:[p("li",{class:"none"},"Drag over a chart or tick a name.")]}async copy(){try{await navigator.clipboard.writeText(location.href),this.link.textContent="Copied"}catch{
this.link.textContent="Copy it from the address bar"}setTimeout(()=>{this.link.textContent="Copy link"},2e3)}};function Ie(r,t,e,{none:n=null,only:s=()=>!0}={}){let o=r.engine.attributes.filter(s).map(l=>p("option",{value:l.axis},l.title));n!==null&&o.unshift(p("option",
{value:""},n));let i=O("choose"),a=p("select",{id:i,onchange:()=>e(a.value===""?null:Number(a.value))},...o);return{element:p("span",{class:"chooser"},p("label",
{for:i},t),a),draw(l){a.value=String(l??"")}}}var xo=50,se=class{constructor(t,e,n){this.scheduler=t;this.kind=e;this.more=p("button",{type:"button",class:"quiet",onclick:()=>this.showMore()},"Show more"),this.
save=p("button",{type:"button",onclick:()=>this.download()},"Download CSV"),this.element=p("div",{class:"result"},ke(n,this.head,this.body),this.foot.element,p(
"p",{class:"acts"},this.save,this.more,this.note)),this.element.hidden=!0}scheduler;kind;element;body=p("tbody",{role:"rowgroup"});head=p("tr",{role:"row"});more;save;note=p(
"span",{class:"note"});foot=new q;rows=[];titles=[];sorted=null;shown=xo;about="";show({columns:t,rows:e,note:n=""}){Object.assign(this,{rows:e,sorted:null,shown:xo,
about:n}),this.element.hidden=!1;let s=t.filter(pt).length===1;this.titles=t.flatMap(o=>pt(o)?Ja(o,s):[o]),this.head.replaceChildren(...this.titles.map(o=>bt({class:"\
text"in o?"left":null},p("button",{type:"button",onclick:()=>this.sort(o)},o.name)))),this.fill()}sort(t){let e=this.sorted?.title===t?!this.sorted.down:!("text"in
t);this.sorted={title:t,down:e},this.rows.sort((n,s)=>kr(t.key(n),t.key(s),{down:e})),[...this.head.children].forEach((n,s)=>{this.titles[s]===t?n.setAttribute(
"aria-sort",e?"descending":"ascending"):n.removeAttribute("aria-sort")}),this.fill()}showMore(){this.shown*=4,this.fill()}fill(){let t=this.rows.slice(0,this.shown),
e=t.map(s=>vt(...this.titles.map(o=>tl(s,o))));this.body.replaceChildren(...e),this.foot.draw(mn(this.about)),this.more.hidden=this.rows.length<=this.shown;let n=this.
rows.length===1?"row":"rows";this.note.textContent=this.more.hidden?`${A(this.rows.length)} ${n}`:`${A(t.length)} of ${A(this.rows.length)} ${n}`,this.scheduler.
start(this.kind,this.errors(t,e),0)}*errors(t,e){let n=new Map;for(let o=0;o<t.length;o+=1){for(let i=0;i<this.titles.length;i+=1){let a=this.titles[i];if("text"in
a)continue;let{of:l,end:u}=a,h=yield*l.figure(t[o]),c=e[o].children[i];c.textContent=el(h,u,l),h.note&&n.set(e[o],h.note)}yield}let[s]=n.values();if(this.foot.draw(
mn(s??this.about)),n.size!==e.length)for(let[o,i]of n)o.firstElementChild?.append(yn(i))}csv(){let t=[this.titles.map(({name:e})=>e)];for(let e of this.rows){let n=s=>"\
text"in s?s.text(e):String(yt(s.of.figure(e))[s.end]??"");t.push(this.titles.map(n))}return $r(t)}download(){Me(`${this.kind}.csv`,new Blob([this.csv()],{type:Cr}))}};
function Ja(r,t){let e=(s,o)=>({name:o,of:r,end:s,key:i=>yt(r.figure(i))[s]}),n=["low","high"].map(s=>e(s,t?s:`${r.name} ${s}`));return[{...e("value",r.name),key:s=>r.
value(s)},...n]}function tl(r,t){if("text"in t)return V("th",{class:"left"},t.text(r)||"(empty)");let e=t.end==="value"&&t.of.digits===0?t.of.value(r):null;return V(
"td",{"data-label":t.name},e===null?"…":A(e))}function el(r,t,{digits:e,print:n,isUntold:s}){if(t==="value"&&s?.(r))return gt;let o=r[t];return o===null?t==="\
high"&&r.low!==null?"no limit":r.value===null&&r.low===null?"none":"unknown":n?.(o)??A(o,r.low===null?e:it(r))}var nl=100,rl=1e3,Eo=["Group by","and by","and by"],On=class{constructor(t,e){this.store=t;let n=O("groups");this.choosers=Eo.map((s,o)=>Ie(t,s,i=>this.choose(o,
i),{none:o?"–":null})),this.table=new se(e,"groups","Totals by group"),this.element=p("section",{class:"panel","aria-labelledby":n},p("header",{},p("h2",{id:n},
"Table"),...this.choosers.map(({element:s})=>s)),this.problem,this.table.element)}store;element;choosers;table;problem=p("p",{class:"problem",role:"alert",hidden:!0});choose(t,e){
let n=[...this.store.group];e===null?n.splice(t,1):n[Math.min(t,n.length)]=e,this.store.choose("group",[...new Set(n)].slice(0,Eo.length))}draw(){let{engine:t,filters:e,
group:n,quantity:s}=this.store;this.choosers.forEach(({element:o,draw:i},a)=>{o.hidden=a>n.length||a>=t.attributes.length,i(n[a])});try{this.problem.hidden=!0;let o=n.
map(c=>this.keyOf(t.attributes[c])),i=new Wt(t.jointly(1),[e],o);this.store.simultaneous&&(i.engine.together=i.rows.length);let a=s?{kind:"measured",...s,condition:Y}:
{kind:"total",condition:Y},l=jt(a,i),u={isUntold:c=>C(c,s)},h=o.map((c,m)=>Xe(c.attribute.title,c,m));this.table.show({columns:[...h,{...l,...u,name:at(this.store)}],
rows:i.rows})}catch(o){if(!(o instanceof g))throw o;this.problem.textContent=o.message,this.problem.hidden=!1,this.table.element.hidden=!0}}keyOf(t){let e=t.ordered?
zt(this.store,t,nl,rl):Nr(this.store,t)??t.displayBins(1/0),n=P(this.store,t),s=e.map(o=>D(t,o,n));return vs(t,e,s)}};var sl={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]},Tn=class{constructor(t,e){this.map=t;this.store=t.store,this.told=p("p",{class:"told",
id:e,"aria-live":"polite"});let{picture:n}=t;n.append(this.cursor),n.addEventListener("keydown",s=>this.key(s)),n.addEventListener("pointerdown",s=>this.press(s)),
n.addEventListener("pointermove",s=>this.move(s)),n.addEventListener("pointerup",()=>this.release()),n.addEventListener("pointercancel",()=>{this.held=null});for(let s of[
"pointerleave","blur"])n.addEventListener(s,()=>this.say(null))}map;told;store;cursor=v("rect",{class:"cursor",visibility:"hidden"});place=[0,0];held=null;dragged=!1;press(t){
t.button===0&&(this.held=this.map.cellAt(t),t.pointerType==="mouse"&&this.map.picture.setPointerCapture(t.pointerId))}move(t){this.say(this.map.cellAt(t)),!(!this.
held||String(this.held)===String(this.place))&&(this.dragged=!0,this.keep(this.held,this.place))}release(){this.held&&!this.dragged&&this.toggle(this.held),this.
held=null,this.dragged=!1}key(t){let e=sl[t.key];if(e)this.say([this.place[0]+e[0],this.place[1]+e[1]]);else if(t.key==="Enter"||t.key===" ")this.toggle(this.map.
nearest(this.place));else if(t.key==="Escape")this.keepNothing();else return;t.preventDefault()}toggle(t){let{filters:e}=this.store;this.map.axes.every((s,o)=>String(
e[s])===String(this.map.bins[o][t[o]]))?this.keepNothing():this.keep(t,t)}keep(t,e){this.map.axes.forEach((n,s)=>{let[o,i]=[t[s],e[s]].sort((a,l)=>a-l);this.store.
filter(n,T(this.map.bins[s].slice(o,i+1)))})}keepNothing(){for(let t of this.map.axes)this.store.filter(t,null)}say(t){$(this.cursor,{visibility:t?"visible":"hi\
dden"}),this.told.textContent=t?this.words(this.map.nearest(t)):""}words(t){let{bins:e,cell:n,attributes:s}=this.map;this.place=t;let[o,i]=this.map.corner(...t);
return $(this.cursor,{x:o,y:i,width:n[0],height:n[1]}),`${s.map((l,u)=>`${l.title} ${this.map.label(u,e[u][t[u]])}`).join(", ")}: ${ee(this.map.answerAt(t),this.
store.quantity)}`}};var Ao=.06;function Mo(r,t,e){if(Qt(e)[0]>=0&&!I(e)){let c=Math.max(...r,0);return{of:m=>c>0?Math.sqrt(Math.max(r[m],0)/c):0,words:`0 to ${Xt(c)} a cell, shaded\
 by the square root`,isLong:({value:m,low:d,high:f})=>m>=1&&f-d>=m,about:"the error is more than half the total"}}let n=Array.from(r.keys()).filter(c=>u(c)),[s,
o]=[Math.min,Math.max].map(c=>c(...n.map(m=>r[m]))),i=new Set(n),a=I(e)?"; blank: too few rows to tell":"",l=I(e)?({low:c,high:m})=>m-c>=o-s:({value:c,low:m,high:d})=>d-
m>=Math.abs(c);return{of:c=>i.has(c)?Ao+(1-Ao)*h(r[c]):0,words:n.length?`${Xt(s)} to ${Xt(o)} a cell${a}`:a.slice(2),isLong:l,about:I(e)?"the interval is longer\
 than the range of shades":"the error is more than half the total"};function u(c){return I(e)?Number.isNaN(r[c])?!1:t!==null&&!C(t[c],e):!0}function h(c){return o>
s?(c-s)/(o-s):1}}var oe=class{constructor(t,e,n){this.store=t;this.name=e;this.edge=n;let s=O("map"),o={tabindex:0,role:"application","aria-labelledby":s,"aria-describedby":`${s}\
-told`};this.picture=v("svg",{class:"map",...o},this.axis,this.cells,this.marks,this.frame);let i=new Tn(this,`${s}-told`);this.plot.append(this.picture);let a=fn(
e,{name:()=>gn(this.title),picture:()=>this.savedPicture(),table:()=>this.table()});this.header.append(p("h2",{id:s},e),this.choosers,a),this.element=p("section",
{class:"panel","aria-labelledby":s},this.header,this.note.element,this.plot,i.told,this.legend)}store;name;edge;element;picture;bins=[[],[]];cell=[0,0];values=new Float64Array(
0);answers=null;width=0;height=0;axis=v("g",{class:"axis","aria-hidden":"true"});header=p("header",{});choosers=p("span",{class:"choosers"});legend=p("p",{class:"\
legend"});note=new q;shades=null;cells=v("g",{"aria-hidden":"true"});marks=v("g",{class:"marks","aria-hidden":"true"});frame=v("path",{class:"map-brush"});plot=p(
"div",{class:"plot"});get attributes(){return this.axes.map(t=>this.store.engine.attributes[t])}get title(){let[t,e]=this.attributes;return`${t.title} by ${e.title}`}compute(){
return this.bins=this.binsNow(),this.store.asked().grid(this.axes,this.bins,this.store.filters)}draw(t){this.values=t,this.answers=null,this.note.draw(lt(this.store.
engine,[this.store.filters],this.axes)),this.width||(this.width=this.room()),this.paint()}resize(){let t=this.room();!this.values.length||t===this.width||(this.
width=t,this.paint(),this.answers&&this.drawErrors(this.answers))}answerAt([t,e]){let{engine:n,filters:s}=this.store,o=t*this.bins[1].length+e;return this.answers?
this.answers[o]:this.store.asked(this.values.length).answer(n.narrowed(s,this.axes,[this.bins[0][t],this.bins[1][e]]),this.values[o])}drawErrors(t){this.answers=
t,I(this.store.quantity)&&this.paint()}room(){return Math.max(240,Math.floor(this.plot.clientWidth))}paint(){let[t,e]=this.bins.map(i=>i.length);this.cell=this.
cellSize(this.width),this.height=this.edge.top+this.edge.bottom+this.cell[1]*e,$(this.picture,{width:this.width,height:this.height,viewBox:`0 0 ${this.width} ${this.
height}`});let n=Mo(this.values,this.answers,this.store.quantity);this.shades=n;let s=Math.min(...this.cell)>6?.6:0,o=[];this.values.forEach((i,a)=>{let l=n.of(
a);if(l<.004)return;let[u,h]=this.corner(Math.floor(a/e),a%e),c={width:Math.max(.5,this.cell[0]-s),height:this.cell[1]-s};o.push(v("rect",{class:"cell",x:u,y:h,
...c,"fill-opacity":l.toFixed(3)}))}),this.cells.replaceChildren(...o),this.marks.replaceChildren(),this.paintAxes(),this.paintFrame(),$(this.picture,{"data-cel\
ls":t*e}),this.legend.replaceChildren(p("span",{class:"ramp","aria-hidden":"true"}),n.words)}paintFrame(){let t=this.axes.some(o=>o in this.store.filters),[e,n]=t?
this.axes.map((o,i)=>this.runs(o,i)):[[],[]],s=e.flatMap(([o,i])=>n.map(([a,l])=>{let[u,h]=this.corner(o,l),[c,m]=[(i-o+1)*this.cell[0],(l-a+1)*this.cell[1]];return`\
M${u},${h}h${c}v${m}h${-c}Z`}));$(this.frame,{d:s.length?s.join(""):null})}runs(t,e){let n=this.store.filters[t]??[[0,1/0]],s=[];return this.bins[e].forEach((o,i)=>{
if(!n.some(([l,u])=>l<o[1]&&u>o[0]))return;let a=s[s.length-1];a?.[1]===i-1?a[1]=i:s.push([i,i])}),s}cellAt(t){let e=this.picture.getBoundingClientRect(),n=Math.
floor((t.clientX-e.left-this.edge.left)/this.cell[0]),s=this.bins[1].length-1-Math.floor((t.clientY-e.top-this.edge.top)/this.cell[1]);return this.nearest([n,s])}nearest([
t,e]){let n=(s,o)=>Math.max(0,Math.min(this.bins[o].length-1,s));return[n(t,0),n(e,1)]}corner(t,e){return[this.edge.left+t*this.cell[0],this.edge.top+(this.bins[1].
length-1-e)*this.cell[1]]}savedPicture(){let{engine:t,filters:e}=this.store,n=Object.fromEntries(Object.entries(e).filter(([s])=>!this.axes.includes(Number(s))));
return En(this.picture,this.title,[`${t.facts.title}: ${at(this.store)}; ${this.legend.textContent}`,ne(t,n),...[this.note.element.textContent??""].filter(Boolean)])}label(t,e){
let n=this.attributes[t];return D(n,e,P(this.store,n))}table(){let[t,e]=this.attributes,n=this.bins[0].flatMap((s,o)=>this.bins[1].map((i,a)=>{let{value:l,low:u,
high:h}=this.answerAt([o,a]),c=Number.isNaN(l)?"":String(l);return[this.label(0,s),this.label(1,i),c,String(u??""),String(h??"")]}));return[[t.title,e.title,at(
this.store),"low","high"],...n]}};var ol=32,il=64,al=60,xt={left:92,right:8,top:6,bottom:34},ko=74,Lr=6.6,ll=[1,2,4,5,8,10,16],Cn=class extends oe{across;up;constructor(t){super(t,"Heat map",{...xt}),
this.across=Ie(t,"Across",e=>this.turn(e??0,t.map[1])),this.up=Ie(t,"Up",e=>this.turn(t.map[0],e??0)),this.choosers.append(this.across.element,this.up.element)}get axes(){
return this.store.map}turn(t,e){let[n,s]=this.store.map;this.store.choose("map",t===e?[s,n]:[t,e])}binsNow(){return this.attributes.map((t,e)=>{let n=zt(this.store,
t,t.ordered?ol:al,il);return e===1&&!t.ordered?n.reverse():n})}cellSize(t){let[e,n]=this.bins.map(s=>s.length);return this.edge.bottom=this.isTilted((t-xt.left-
xt.right)/e)?ko:xt.bottom,[(t-xt.left-xt.right)/e,Math.max(9,Math.min(26,420/n))]}isTilted(t){let[e]=this.attributes,n=this.bins[0].map(s=>St(e,this.bins[0],s,P(
this.store,e)).length);return!e.ordered&&Math.max(...n)*Lr+5>t}draw(t){this.across.draw(this.store.map[0]),this.up.draw(this.store.map[1]),super.draw(t)}drawErrors(t){
super.drawErrors(t);let e=this.bins[1].length,n=[];t.forEach((o,i)=>{if(o.low===null||C(o,this.store.quantity)||!this.shades?.isLong(o))return;let[a,l]=this.corner(
Math.floor(i/e),i%e);n.push(v("circle",{cx:a+this.cell[0]/2,cy:l+this.cell[1]/2,r:1.3}))}),this.marks.replaceChildren(...n);let s=t.some(({low:o,value:i})=>o===
null&&!Number.isNaN(i));this.legend.append(s?"; errors are unknown":`; a dot: ${this.shades?.about}`)}paintAxes(){let[t,e]=this.attributes,[n,s]=this.bins,o=[],
i=(b,w,y,E,S)=>v("text",S,ln(St(b,this.bins[w],y,P(this.store,b)),E),v("title",{},D(b,y,P(this.store,b)))),a=0,l=this.edge.bottom===ko,u=this.height-this.edge.bottom+
14,h=Math.max(...n.map(b=>St(t,n,b,P(this.store,t)).length))*Lr+8,c=t.ordered?ll.find(b=>b*this.cell[0]>=h)??32:1;n.forEach((b,w)=>{if(w%c&&b[0]<t.count)return;
let y=this.corner(w,0)[0]+this.cell[0]/2,E=l?6:St(t,n,b,P(this.store,t)).length*Lr/2;if(y-E<a||y+E>this.width)return;a=y+E+(t.ordered?8:0);let S={x:y+4,y:u-4,"t\
ext-anchor":"end",transform:`rotate(-35 ${y+4} ${u-4})`};o.push(i(t,0,b,13,l?S:{x:y,y:u,"text-anchor":"middle"}))});let m=Math.ceil(13/this.cell[1]),d=-1/0;for(let b=s.
length-1;b>=0;b-=1){let w=s[b],y=this.corner(0,b)[1]+this.cell[1]/2+4;b%m&&w[0]<e.count||y-d<11.5||(o.push(i(e,1,w,13,{x:xt.left-6,y,"text-anchor":"end"})),d=y)}
let f={x:(xt.left+this.width)/2,y:this.height-4,"text-anchor":"middle"};o.push(v("text",{...f,class:"axis-name"},t.title)),this.axis.replaceChildren(...o)}};function So(r){let t=(...l)=>v("svg",{width:22,height:16,viewBox:"0 0 22 16","aria-hidden":"true"},...l),e=v("rect",{class:"column",x:6,y:2,width:10,height:14}),
n=v("rect",{class:"column out",x:6,y:2,width:10,height:14}),s=v("path",{class:"band bars",d:"M11,2V14M7,2h8M7,14h8"}),o=v("rect",{class:"band",x:2,y:4,width:18,
height:8}),i=[[t(e),"estimate"],[t(s),t(o),"95 % interval: it holds the true number in 95 of 100 cases"],[t(n),"not selected"]],a=v("rect",{class:"column untold",
x:6,y:0,width:10,height:16});return r&&i.push([t(a),"too few rows to tell a mean"]),p("ul",{class:"key","aria-label":"Legend of the charts"},...i.map(l=>p("li",
{},...l)))}var ul=12,$n=class{constructor(t){this.store=t;let{attributes:e}=t.engine;this.boxes=e.map(({axis:s})=>p("input",{type:"checkbox",onchange:()=>this.toggle(s,this.
boxes[s].checked)})),this.items=e.map((s,o)=>p("li",{},p("label",{},this.boxes[o],p("span",{},s.title),p("small",{},`${A(s.size)} ${s.size===1?"value":"values"}`))));
let n=p("input",{type:"search",placeholder:"Find an attribute","aria-label":"Find an attribute",oninput:()=>this.find(n.value)});this.simultaneous=p("input",{type:"\
checkbox","aria-describedby":"simultaneous-note",onchange:()=>t.choose("simultaneous",this.simultaneous.checked)}),this.element=p("details",{class:"options"},this.
summary,p("p",{class:"switch"},p("label",{},this.simultaneous,"Simultaneous intervals")),p("p",{class:"note",id:"simultaneous-note"},"All intervals of a chart, \
map or table then hold together in 95 of 100 cases. They are longer."),e.length>ul?n:null,p("ul",{},...this.items))}store;element;boxes;items;summary=p("summary",
{});simultaneous;draw(){let{shown:t,engine:e,simultaneous:n}=this.store,s=n?", simultaneous intervals":"";this.summary.textContent=`Options: ${t.length} of ${e.
attributes.length} attributes shown${s}`,this.simultaneous.checked=n,this.boxes.forEach((o,i)=>{o.checked=t.includes(i)})}toggle(t,e){let n=this.store.shown.filter(
s=>s!==t);this.store.choose("shown",e?[...n,t].sort((s,o)=>s-o):n)}find(t){let e=t.trim().toLowerCase();this.store.engine.attributes.forEach(({name:n,title:s},o)=>{
this.items[o].hidden=!`${n} ${s}`.toLowerCase().includes(e)})}};var hl=/^(.*?)(latitude|lat)$/,cl=/^(.*?)(longitude|long|lon|lng)$/;function No(r){let t=Io(r,cl,360);for(let[e,n]of Io(r,hl,90)){let s=t.get(e);if(s!==void 0)return[s,n]}return null}function Io(r,t,e){let n=new Map;for(let s of r){
let{type:o,count:i,axis:a}=s;if(!(o!=="number"&&o!=="integer")&&!(i<2||s.edge(0)<-e||s.edge(i)>e+s.step))for(let l of[s.title,s.name]){let u=t.exec(ml(l));u&&!n.
has(u[1])&&n.set(u[1],a)}}return n}function ml(r){return r.replace(/\(.*\)$/,"").toLowerCase().replace(/[^\p{L}]/gu,"")}function Oo(r){return[111.195*Math.max(.05,
Math.cos(r*Math.PI/180)),111.195]}var pl=[96,72],dl=560,Q={left:46,right:10,top:6,bottom:24},fl=.25,To="; point at a cell for its interval",Rn=class extends oe{constructor(e,n){super(e,"Map",Q);
this.axes=n;this.zoom=p("input",{type:"checkbox",onchange:()=>e.choose("zoomed",this.zoom.checked)}),this.choosers.append(p("label",{class:"chooser"},this.zoom,
p("span",{},"Zoom to the selection")))}axes;zoom;get title(){return`Map by ${this.attributes.map(({title:e})=>e).join(" and ")}`}draw(e){this.zoom.checked=this.
store.zoomed,super.draw(e),this.legend.append(To)}drawErrors(e){super.drawErrors(e),this.legend.append(To)}binsNow(){return this.attributes.map((e,n)=>{let[s,o]=this.
window(e),i=Math.max(1,Math.ceil((o-s)/pl[n])),a=[];for(let l=s;l<o;l+=i)a.push([l,Math.min(l+i,o)]);return a})}window({axis:e,count:n}){let s=this.store.zoomed?
this.store.filters[e]?.filter(([i])=>i<n)??[]:[],o=s[s.length-1];return o?[Math.floor(s[0][0]),Math.min(Math.ceil(o[1]),n)]:[0,n]}ends(e){let n=this.bins[e],s=this.
attributes[e];return[s.tickAt(n[0][0]),s.tickAt(n[n.length-1][1])]}get extent(){let[[e,n],[s,o]]=[this.ends(0),this.ends(1)],[i,a]=Oo((s+o)/2);return[(n-e)*i,(o-
s)*a]}cellSize(e){let[n,s]=this.extent,[o,i]=this.bins.map(l=>l.length),a=Math.min(e-Q.left-Q.right,dl*n/s);return[a/o,a*s/n/i]}paintAxes(){let[e,n]=this.bins.map(
l=>l.length),[s,o]=[this.cell[0]*e,this.cell[1]*n],i=Q.top+o,a=[v("rect",{class:"ground",x:Q.left,y:Q.top,width:s,height:o})];for(let l of Co(this.ends(0),s/90)){
let u=Q.left+s*(l-this.ends(0)[0])/(this.ends(0)[1]-this.ends(0)[0]);a.push(v("line",{x1:u,x2:u,y1:Q.top,y2:i})),a.push(v("text",{x:u,y:i+16,"text-anchor":"midd\
le"},`${l}°`))}for(let l of Co(this.ends(1),o/60)){let u=i-o*(l-this.ends(1)[0])/(this.ends(1)[1]-this.ends(1)[0]);a.push(v("line",{x1:Q.left,x2:Q.left+s,y1:u,
y2:u})),a.push(v("text",{x:Q.left-5,y:u+4,"text-anchor":"end"},`${l}°`))}this.axis.replaceChildren(...a),this.marks.replaceChildren(...this.scale(s,i))}scale(e,n){
let[s]=this.extent,o=gl(s*fl),i=e*o/s,[a,l]=[Q.left+10,n-10],u=o>=1?`${A(o)} km`:`${A(1e3*o)} m`;return[v("path",{class:"scale",d:`M${a},${l-5}v5h${i}v-5`}),v("\
text",{class:"scale-text",x:a+i/2,y:l-6,"text-anchor":"middle"},u)]}};function gl(r){let t=10**Math.floor(Math.log10(r));return([5,2].find(e=>e*t<=r)??1)*t}function Co([
r,t],e){let n=an(t-r,Math.max(2,Math.floor(e))),s=n.length>1?n[1]:t-r,o=Math.max(0,Math.ceil(-Math.log10(s)+1e-9)),i=[];for(let a=Math.ceil(r/s);a*s<=t;a+=1)i.push(
Number((a*s).toFixed(o))+0);return i}var Fn=class{constructor(t){this.store=t;let e=O("quantity"),{engine:n}=t,s=o=>o?te(o):`number of ${Jt(n.facts)}`;this.select=p("select",{id:e,onchange:()=>t.choose(
"quantity",sn(this.select.value,n))},...Or(n).map(o=>p("option",{value:Yt(o)},s(o)))),this.element=p("p",{class:"chooser quantity"},p("label",{for:e},"Show the"),
this.select,this.about)}store;element;select;about=p("span",{class:"note"});draw(){let{quantity:t,engine:e}=this.store;this.select.value=Yt(t),this.about.textContent=
t?co(t.measure,e.facts):""}};function $o(r,t,e,n=null){let s=e.map(l=>Ur(r.attributes[l].name)),o=Object.entries(t).map(([l,u])=>bl(r.attributes[Number(l)],u)),i=n?`${n.what==="sum"?"SUM":"\
AVG"}(${Ur(n.measure.name)})`:ye(r.facts.measure),a=[`SELECT ${[...s,i].join(", ")}`,"FROM view"];return o.length&&a.push(`WHERE ${o.join(`
  AND `)}`),s.length&&a.push(`GROUP BY ${s.join(", ")}`),a.join(`
`)}function bl(r,t){let e=Ur(r.name),n=[],s=[];for(let[o,i]of t){let a=Math.min(i,r.count);if(r.ordered)o<a&&n.push(Ro(r,e,o,a));else for(let l=o;l<a;l+=1)s.push(
Pr(r.names[l]));r.other&&o<=r.count&&r.count<i&&n.push(wl(r,e)),r.missing&&o<=r.missingCode&&r.missingCode<i&&n.push(`${e} IS NULL`)}return s.length&&n.unshift(
`${e} IN (${s.join(", ")})`),n.length===0?`(${e} IS NULL AND ${e} IS NOT NULL)`:n.length===1?n[0]:`(${n.join(" OR ")})`}function Ro(r,t,e,n){let s=a=>r.isCalendar?
Pr(r.text(a)):r.text(a),[o,i]=[r.tickAt(e),r.tickAt(n)];return r.step?`${t} BETWEEN ${s(o)} AND ${s(i-r.step)}`:`${t} >= ${s(o)} AND ${t} < ${s(i)}`}function wl(r,t){
return r.ordered?`NOT (${Ro(r,t,0,r.count)})`:`${t} NOT IN (${r.names.map(Pr).join(", ")})`}function Ur(r){return/^[a-z_][a-z0-9_]*$/i.test(r)?r:`"${r.replaceAll(
'"','""')}"`}function Pr(r){return`'${r.replaceAll("'","''")}'`}var yl="The box answers what view.sql and ripost query answer: COUNT, SUM, AVG, MIN, MAX, MEDIAN, quantiles and SHARE(*) with FILTER or CASE, differences and ra\
tios of totals, LIKE, periods of dates, ROLLUP, and WITH or SELECT over a result.",vl="A view holds totals and no rows, so it does not answer SELECT *, JOIN, UN\
ION, COUNT(DISTINCT …) and window functions besides shares. The box shows at most 10,000 rows.",Ln=class{constructor(t,e){this.store=t;let n=O("sql");this.text=
p("textarea",{id:"sql",rows:5,spellcheck:"false",autocapitalize:"off",autocomplete:"off","aria-labelledby":n,onkeydown:s=>{s.key==="Enter"&&(s.ctrlKey||s.metaKey)&&
this.run()}}),this.table=new se(e,"answer","Answer to the question in SQL"),this.element=p("section",{class:"panel","aria-labelledby":n},p("header",{},p("h2",{id:n},
"SQL")),this.text,p("p",{class:"acts"},p("button",{type:"button",class:"main",onclick:()=>this.run()},"Run"),p("button",{type:"button",class:"quiet",onclick:()=>this.
takeOver()},"Use the filters above"),p("span",{class:"note"},"Ctrl+Enter runs it")),this.problem,this.table.element,this.help())}store;element;text;problem=p("p",
{class:"problem",role:"alert",hidden:!0});table;ran="";simultaneous=!1;help(){let{attributes:t,measures:e,facts:n}=this.store.engine,[,...s]=n.tables;return p("\
details",{},p("summary",{},"Columns, and what can be asked"),p("dl",{},...t.flatMap(({name:o,title:i,unit:a})=>[p("dt",{},p("code",{},o)),p("dd",{},a?`${i} (${a}\
)`:i)]),...e.flatMap(({name:o})=>[p("dt",{},p("code",{},`SUM(${o}), AVG(${o})`)),p("dd",{},`sum and mean of ${o}`)])),p("p",{class:"note"},`The table is called ${[
"view",...s.map(o=>`"${o}"`)].join(" or ")}. ${yl}`),p("p",{class:"note"},vl))}draw(){this.store.sql===null?this.text.value===""&&this.takeOver():(this.store.sql!==
this.ran||this.store.simultaneous!==this.simultaneous)&&(this.text.value=this.store.sql,this.answer())}takeOver(){let{engine:t,filters:e,group:n,quantity:s}=this.
store;this.text.value=$o(t,e,n,s)}run(){this.answer(),this.store.choose("sql",this.text.value)}answer(){let{simultaneous:t}=this.store;Object.assign(this,{ran:this.
text.value,simultaneous:t}),this.problem.hidden=!0,this.table.element.hidden=!0;try{this.table.show(rn(this.store.engine,this.text.value,{simultaneous:t}))}catch(e){
if(!(e instanceof g))throw e;this.problem.textContent=e.message,this.problem.hidden=!1}}};function Fo({privacy:r}){return r.warning?p("p",{class:"warning",role:"alert"},`${r.warning}. Never give this view away.`):null}function Lo(r){let{axes:t,privacy:e,
description:n,notes:s=[],measures:o=[]}=r,i=o.length?`, with sums and means of ${Tr(o.map(({name:c})=>c))}`:"",a=`A summary of a table by ${t.length} ${t.length===
1?"attribute":"attributes"}${i}`,l=e.warning?"with noise that protects nobody":`in which noise protects ${e.unit} (differential privacy, epsilon ${Tt(e.epsilon)}\
)`,h=[`${a}, ${l}: every number is an estimate with a 95 % interval.`,n,...s].filter(Boolean);return p("header",{class:"title"},p("h1",{},r.title),...h.map(c=>p(
"p",{},c??"")))}function Uo(r){let{privacy:t,periods:e}=r,n=O("privacy"),s=e?", in the costliest period":"",o=[t.promise,...t.words],i="All numbers here are est\
imates. Noise was added on purpose, and the distribution inside a block is estimated. The 95 % intervals allow for both. Where a method gives no error, the page\
 says so.",a=new Map(r.axes.map(({name:h,label:c})=>[`histogram of ${h}`,`histogram of ${c||h}`])),l=h=>a.get(h)??h;return p("section",{class:"panel privacy","a\
ria-labelledby":n},p("header",{},p("h2",{id:n},"Privacy")),...[...o,i,...xl(r)?["Some attributes were measured together. Where the page says that this was not c\
lose enough, the numbers mostly assume that they are independent."]:[]].map(h=>p("p",{},h)),Al(r),e?El(e):null,p("details",{},p("summary",{},"What the budget wa\
s spent on"),p("p",{},`Along the path from the whole table to a block with the largest privacy loss${s}.`),Dr("What the budget was spent on",["spent on","by",t.
currency],t.ledger.map(([h,c,m])=>[l(h),c,Tt(m)]))),p("details",{},p("summary",{},`All ${A(t.entries.length)} entries of the ledger${s}`),Dr("All entries of the\
 ledger",["purpose","mechanism","statistic","sensitivity",t.currency,"blocks"],t.entries.map(([h,c,m,d,f,b])=>[l(h),c,m,String(d),f,A(b)]))))}function xl({content:r}){
return[r,...r.periods??[]].some(t=>t.mixture||(t.errorModel?.note_share??null)!==null)}function El({rule:r,lines:t}){let e=["period","method","digest","epsilon",
"delta","debit"],n=t.map(o=>[o.period,o.method,o.digest.slice(0,16),Tt(o.epsilon),Tt(o.delta),o.debit]),s=`The ${A(t.length)} periods of ${r}`;return p("details",
{},p("summary",{},s),Dr(s,e,n,3))}function Al(r){let{privacy:t}=r,e=[["definition",t.definition],["epsilon",`${Tt(t.epsilon)}, of which ${Tt(t.spent)} was spent`],
...t.delta?[["delta",Tt(t.delta)]]:[],["protects",t.unit],["noise from",t.entropy],["method",r.method],["holds",`${A(r.rows)} ${r.noun} for ${Ml(r.cells)} cells`],
["made by",r.software]];return p("dl",{},...e.flatMap(([n,s])=>[p("dt",{},n),p("dd",{},s)]))}function Dr(r,t,e,n=Math.max(2,t.indexOf("sensitivity"))){let s=i=>i<
n?"left":null,o=i=>vt(...i.map((a,l)=>V("td",{class:s(l),"data-label":t[l]},a)));return An(r,t.map((i,a)=>bt({class:s(a)},i)),e.map(o))}function Tt(r){return String(
Number(r.toPrecision(6)))}function Ml(r){return r.length>15?`about 10^${r.length-1}`:r.replace(/\B(?=(\d{3})+$)/g,",")}var K=class{constructor(t,e){this.sides=t;this.values=e}sides;values;cover(t,e=[]){return Object.keys(t).map(Number).filter(s=>!e.includes(s)).map(s=>[s,this.sides[s].
covered(t[s])])}weighted(t){let e=Float64Array.from(this.values);for(let[n,s]of t){let{which:o}=this.sides[n];for(let i=0;i<e.length;i+=1)e[i]*=s[o[i]]}return e}histogram(t,e,n){
let s=this.sides[t],o=this.weighted(this.cover(n,[t])),i=new Float64Array(s.count);for(let c=0;c<o.length;c+=1)i[s.which[c]]+=o[c];let{first:a,bin:l,share:u}=s.
spread(e),h=new Float64Array(e.length);for(let c=0;c<s.count;c+=1)for(let m=a[c];m<a[c+1];m+=1)h[l[m]]+=i[c]*u[m];return h}grid(t,e,n,{within:s=!1}={}){let o=t.
map(h=>this.sides[h]),i=t.map((h,c)=>o[c].spread(e[c],s?n[h]??null:null)),a=this.weighted(this.cover(n,t)),l=new Float64Array(e.reduce((h,c)=>h*c.length,1)),u=(h,c,m,d)=>{
if(h===t.length){l[m]+=d;return}let{first:f,bin:b,share:w}=i[h],y=o[h].which[c],E=e[h].length;for(let S=f[y];S<f[y+1];S+=1)u(h+1,c,m*E+b[S],d*w[S])};for(let h=0;h<
a.length;h+=1)a[h]!==0&&u(0,h,0,a[h]);return l}};function ie(r,t,e){let n=1;for(let[s,o]of r)n*=o[t[s].which[e]];return n}var kl=1-1e-12;function Un(r,t){let e=new Float64Array(
t);for(let n of r)for(let s=0;s<t;s+=1)e[s]+=n[s];for(let n=0;n<t;n+=1)e[n]>=kl&&(e[n]=1);return e}function Br(r,t){return t.map((e,n)=>{let s=new Map,o=[],i=new Int32Array(
r[n].length);for(let a=0;a<i.length;a+=1){let l=r[n][a],u=s.get(l);u===void 0&&(u=o.length,s.set(l,u),o.push(l)),i[a]=u}return new rt(Float64Array.from(o),Float64Array.
from(o,a=>a+1),i,null)})}var ae=class{total;weights;bins;shares;below;masses;constructor({total:t,weights:e,edges:n,levels:s},o){this.total=t,this.weights=e,this.bins=n.map((i,a)=>Sl(Float64Array.
from(i),o?.[a]??null)),this.shares=s.map(i=>Il(i,e.length)),this.below=this.shares.map(i=>Nl(i,e.length)),this.masses=n.map(()=>new ct(e.length))}mass(t,e){return this.
masses[t].of(e,()=>this.massOf(t,e))}massOf(t,e){let n=this.weights.length,s=this.bins[t].covered(e),o=new Float64Array(n);for(let i=0;i<s.length;i+=1){if(s[i]===
0)continue;let a=i;for(;i+1<s.length&&s[i]===1&&s[i+1]===1;)i+=1;a<i?Cl(o,this.below[t],a*n,(i+1)*n):Bo(o,this.shares[t],i*n,s[i])}return o}components(t,e=[]){let n=this.
weights.map(s=>s*this.total);for(let s of Object.keys(t)){let o=Number(s);e.includes(o)||Po(n,this.mass(o,t[o]))}return n}value(t){return Do(this.components(t))}addGrid(t,e,n,s,{
within:o=!1}={}){let i=e.map((m,d)=>this.bins[m].spread(n[d],o?s[m]??null:null)),a=this.weights.length,l=e.length-1,u=e.slice(0,l).map((m,d)=>Ol(this.shares[m],
i[d],n[d].length,a)),h=(m,d,f)=>{if(m===l){Tl(t,d*n[l].length,this.shares[e[l]],i[l],f);return}for(let b=0;b<n[m].length;b+=1){let w=Float64Array.from(f);Po(w,u[m].
subarray(b*a,(b+1)*a)),h(m+1,d*n[m].length+b,w)}},c=this.components(s,e);return e.length?h(0,0,c):t[0]+=Do(c),t}},le=class extends K{constructor(e,n,s){super(e,
n);this.mixture=s}mixture;histogram(e,n,s){return this.mixture.addGrid(super.histogram(e,n,s),[e],[n],s)}grid(e,n,s,o){return this.mixture.addGrid(super.grid(e,
n,s,o),e,n,s,o)}};function Sl(r,t){return new rt(r.slice(0,-1),r.slice(1),new Int32Array(0),t)}function Il(r,t){let e=r.length/t,n=new Float64Array(r.length);for(let s=0;s<
t;s+=1){let o=0;for(let i=0;i<e;i+=1)o+=r[s*e+i]**2;for(let i=0;i<e;i+=1)n[i*t+s]=r[s*e+i]**2/o}return n}function Nl(r,t){let e=new Float64Array(r.length+t);for(let n=0;n<
r.length;n+=1)e[n+t]=e[n]+r[n];return e}function Ol(r,{first:t,bin:e,share:n},s,o){let i=new Float64Array(s*o);for(let a=0;a<t.length-1;a+=1)for(let l=t[a];l<t[a+
1];l+=1)Bo(i.subarray(e[l]*o,(e[l]+1)*o),r,a*o,n[l]);return i}function Tl(r,t,e,{first:n,bin:s,share:o},i){let a=i.length;for(let l=0;l<n.length-1;l+=1){if(n[l]===
n[l+1])continue;let u=0;for(let h=0;h<a;h+=1)u+=i[h]*e[l*a+h];for(let h=n[l];h<n[l+1];h+=1)r[t+s[h]]+=u*o[h]}}function Bo(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=
n*t[e+s]}function Cl(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=t[n+s]-t[e+s]}function Po(r,t){for(let e=0;e<r.length;e+=1)r[e]*=t[e]}function Do(r){let t=0;for(let e=0;e<
r.length;e+=1)t+=r[e];return t}var Pn=class{constructor(t,e,n,s){this.tree=e;this.errors=t.errors,this.sides=e.sides(s,t.density),this.mixture=t.mixture&&new ae(t.mixture,t.density),this.rows=
this.mixture?new le(this.sides,t.above,this.mixture):new K(this.sides,t.above),this.above=e.addUp(t.above),this.variances=e.addUp(t.variances),this.spread=e.addUp(
n.values.map(o=>t.errors.spread*Math.max(o,0)))}tree;rows;errors;sides;mixture;above;variances;spread;get z(){return this.errors.z}totals(t,e,n){let s={value:0,
variance:this.errorOfModel(e,n)};for(let c of t)s.value+=this.mixture?.value(c)??0;let o=(c,m)=>{s.value+=this.above[c]*m,s.variance+=this.variances[c]*m**2+this.
spread[c]*m*(1-m)},i=t.map(c=>this.rows.cover(c));if(t.length===1){let c=(m,d)=>(d>0&&o(m,d),!1);return this.tree.visit(this.rows,i[0],t[0],{settle:c}),s}let{leaves:a,
leaf:l}=this.tree,u=i.map(c=>Float64Array.from({length:a},(m,d)=>ie(c,this.sides,d))),h=Un(u,a);for(let c=0;c<l.length;c+=1)l[c]>=0&&o(c,h[l[c]]);return s}errorOfModel(t,e){
let{total:n,histogram:s,variation:o}=this.errors,i=Math.min(Math.max(t/Math.max(e,1),0),1);return Math.min(s,o*Math.max(t,0)**2)*(1-i)+n*i**2}};var ue=class{constructor(t,e){this.axis=t;this.cut=e;this.count=t.length,this.right=new Int32Array(this.count),this.leaf=new Int32Array(this.count).fill(-1),this.
own=new Int32Array(this.count),this.cutting=new Int32Array(this.count);let n=new Int32Array(this.count);for(let o=this.count-1;o>=0;o-=1)n[o]=1,!(t[o]<0)&&(this.
right[o]=o+1+n[o+1],n[o]+=n[o+1]+n[this.right[o]]);let s=0;for(let o=0;o<this.count;o+=1)t[o]<0&&(this.leaf[o]=s++);this.leaves=s,this.waiting=new Int32Array(this.
count),this.out=new Int32Array(this.count)}axis;cut;count;leaves;right;leaf;own;cutting;spans=null;waiting;out;addUp(t){let e=new Float64Array(this.count);for(let n=this.
count-1;n>=0;n-=1)e[n]=this.axis[n]<0?t[this.leaf[n]]:e[n+1]+e[this.right[n]];return e}sides(t,e){return this.spans??=this.findSpans(t),this.spans.map(({lower:n,
upper:s,which:o},i)=>new rt(n,s,o,e?.[i]??null))}visit({sides:t},e,n,s){let o=new Array(t.length).fill(null);for(let[f]of e)o[f]=t[f].touched(n[f]);let{axis:i,right:a,
own:l,cutting:u,leaf:h,waiting:c,out:m}=this,d=1;for(c[0]=0,m[0]=e.filter(([f])=>(o[f]?.[0]??2)<2).length;d;){d-=1;let f=c[d],b=m[d];if(b===0){if(s.settle(f,1))
return}else if(i[f]<0){if(s.settle(f,ie(e,t,h[f])))return}else{s.enter?.(f);let w=o[i[f]];for(let y=f+1,E=0;E<2;y=a[f],E+=1){let S=w?w[l[y]]:1;if(S===0){if(s.settle(
y,0))return;continue}c[d]=y,m[d]=w&&S===2&&w[u[f]]<2?b-1:b,d+=1}}}}findSpans(t){let e=t.length,n=t.map((i,a)=>new _r(this,a,i)),s=new Int32Array(this.count*e),o=t.
map(()=>new Int32Array(this.leaves));for(let i=0;i<e;i+=1)s[i]=n[i].of(0,t[i]);for(let i=0;i<this.count;i+=1){let a=i*e,l=this.axis[i];if(l<0){for(let d=0;d<e;d+=
1)o[d][this.leaf[i]]=s[a+d];continue}let u=s[a+l];this.cutting[i]=u;let{lower:h,upper:c}=n[l],m=[[i+1,h[u],this.cut[i]],[this.right[i],this.cut[i],c[u]]];for(let[
d,f,b]of m)s.copyWithin(d*e,a,a+e),this.own[d]=s[d*e+l]=n[l].of(f,b)}return n.map(({lower:i,upper:a},l)=>({lower:Float64Array.from(i),upper:Float64Array.from(a),
which:o[l]}))}},_r=class{lower=[];upper=[];place;seen=new Map;constructor(t,e,n){let s=new Set([0,n]);for(let o=0;o<t.count;o+=1)t.axis[o]===e&&s.add(t.cut[o]);
this.place=new Map([...s].map((o,i)=>[o,i]))}of(t,e){let n=(this.place.get(t)??0)*this.place.size+(this.place.get(e)??0),s=this.seen.get(n);return s===void 0&&(s=
this.lower.length,this.seen.set(n,s),this.lower.push(t),this.upper.push(e)),s}},he=class{constructor(t,e){this.tree=t;let n=Float64Array.from(e);this.share=new Float64Array(
t.count).fill(1),this.between=new Float64Array(t.count);for(let s=t.count-1;s>=0;s-=1){if(t.axis[s]<0)continue;let o=s+1,i=t.right[s],a=n[o]+n[i];n[s]=Number.isFinite(
e[s])?e[s]*Hr(a,e[s]+a):a,this.share[o]=Hr(n[o],a),this.share[i]=Hr(n[i],a),this.between[s]=n[i]*this.share[o]}this.root=n[0],this.through=new Float64Array(t.count),
this.inside=new Float64Array(t.count)}tree;root;share;between;through;inside;ofWeights(t){let{tree:e}=this;for(let n=e.count-1;n>=0;n-=1)e.axis[n]<0?this.settle(
n,t[e.leaf[n]]):this.join(n);return this.atRoot()}settle(t,e){this.through[t]=e,this.inside[t]=0}join(t){let e=t+1,n=this.tree.right[t],s=this.through[e]-this.through[n];
this.through[t]=this.share[e]*this.through[e]+this.share[n]*this.through[n],this.inside[t]=this.inside[e]+this.inside[n]+this.between[t]*s*s}atRoot(){return this.
inside[0]+this.through[0]**2*this.root}};function Dn(r,t){return Float64Array.from(r,e=>e===0?1/0:t[e-1])}function Hr(r,t){return t>0?r/t:.5}function Ct(r,{scatter:t,power:e}){let n=Math.max(r,0);return n+t*n**e}function Ho(r,t,e,n){let{of:s,count:o}=n,i=new Float64Array(o),a=new Float64Array(o),l=new Float64Array(
o);for(let h=0;h<s.length;h+=1){let c=r[t[h]];i[s[h]]+=c,a[s[h]]+=c*c,l[s[h]]=e[h]}let u=0;for(let h=0;h<o;h+=1)u+=Math.max(i[h]**2,a[h])*l[h]*(1-l[h]);return u}
function _o(r,t,e,n,s,o){let{of:i,count:a}=s,l=new Float64Array(a),u=new Float64Array(a),h=0;for(let m=0;m<i.length;m+=1)h+=t[e[m]]*n[m]*(1-n[m]),l[i[m]]+=r[e[m]],
u[i[m]]=n[m];let c=0;for(let m=0;m<a;m+=1)c+=Ct(l[m],o)*u[m]*(1-u[m]);return(1-o.together)*h+o.together*c}function qr(r,t,e){let n=new Float64Array(e.length),s=1;
for(let[o,i]of t){let{which:a,count:l}=r[o];s*(l+1)>4503599627370496&&({of:n,count:s}=Bn(n));for(let u=0;u<e.length;u+=1){let h=a[e[u]];n[u]=n[u]*(l+1)+(i[h]<1?
h+1:0)}s*=l+1}return Bn(n)}function qo(r,t,e,n){let s=new Float64Array(e.length);return t.forEach((o,i)=>{let a=qr(r,o,e);for(let l=0;l<e.length;l+=1)s[l]=s[l]*
(a.count+1)+(n[i][l]?a.of[l]+1:0);({of:s}=Bn(s))}),Bn(s)}function Bn(r){let t=new Map,e=new Float64Array(r.length);for(let n=0;n<r.length;n+=1){let s=t.get(r[n])??
t.size;t.set(r[n],s),e[n]=s}return{of:e,count:t.size}}function Go(r,t,e,n){let{margin_weight:s,unmeasured_weight:o,unmeasured_power:i}=n;if(!(s||o)||!(r>0))return 0;let a=t.map(f=>_(f,e.sizes)),l=t.map((f,b)=>$l(f,
a[b],r,e,n)),u=s*Math.max(0,...l);if(a.every(f=>f.length<=1))return u;let{total:h,record:c}=e,m=h>0?Math.min(r/h,1):0,d=Ct(h/c,n)*c**2;return u+o*d*m**i*(1-m)}function Gr(r,t,e){
let{note_share:n=null,unmeasured_weight:s}=e;return n!==null&&s&&r>n*Math.max(t,0)?Gt:""}function $l(r,t,e,n,s){let o=0;for(let i of t){let a=s.histogram_variances[i]??
null;if(a===null)continue;let[l,u,h]=[n.axes[i],Z(r[i]),n.sizes[i]],c=f=>l.mass?l.at(f):f,m=r[i].reduce((f,[b,w])=>f+c(w)-c(b),0),d=c(h)>0?n.total*m/c(h):0;o+=a*
Math.max(Math.min(u,h-u),0)*(e/Math.max(e,d))**2}return o}function jo(r,t){return r<1?Math.min(r,(t.outside_weight??1/0)*(1-r)):0}var ce=class{constructor(t,e,n=s=>new K(s,t.values)){this.facts=t;this.sizes=e;let s=t.errorModel;
this.model=s,this.tree=new ue(t.axis,t.cut),this.record=t.record,this.rows=n(this.tree.sides(e,t.density)),this.covariance=new he(this.tree,Dn(t.measured,t.variances)),
this.totals=this.tree.addUp(this.rows.values),this.inner=new Int32Array(this.tree.count),this.records=t.values.map(o=>o/this.record),this.scatter=this.records.map(
o=>s?Ct(o,s):0)}facts;sizes;rows;model;record;covariance;tree;totals;records;scatter;inner;sums(t){return new Pn(t,this.tree,this.facts,this.sizes)}answer(t){let e=this.
summed(t),{value:n,noise:s,partly:o,share:i,groups:a}=e,{model:l}=this;if(!l)return st(n,s,Ho(this.rows.values,o,i,a),2.12);let[u,...h]=t,c=u&&h.length===0,[m,d]=c?
this.ofHistogram(u,_(u,this.sizes),l):[1/0,0],f=o.reduce((H,$t,X)=>H+this.rows.values[$t]*jo(i[X],l),0),b={total:this.totals[0],record:this.record,axes:this.rows.
sides,sizes:this.sizes},w=Go(f,t,b,l),y=this.scattered(e,l)+this.cutOff(d,n,l)+w,E=Math.min(y,Math.max(m-s,0)),S=st(n,Math.min(s,m),E,l.z),R=t.some(H=>_(H,this.
sizes).length>1)?Gr(f,n,l):"";return R?{...S,note:R}:S}note(t,e=[]){let{model:n,rows:s,sizes:o}=this;if(!n||(n.note_share??null)===null)return"";let i=e.filter(
u=>o[u]>1);if(!i.length)return this.answer(t).note??"";if(t.every(u=>new Set([..._(u,o),...i]).size<2))return"";let[a,l]=[0,0];return this.sharesOf(t.map(u=>s.cover(
u,i))).total.forEach((u,h)=>{let c=i.some(m=>s.sides[m].lengthOf(h)>1);a+=u*s.values[h],l+=(c?u:jo(u,n))*s.values[h]}),Gr(l,a,n)}summed(t,e=1/0){let n=t.map(o=>this.
rows.cover(o)),s=t.length===1?this.descend(n[0],t[0],e):this.unite(n);return s&&{...s,noise:this.covariance.atRoot()}}scattered({partly:t,share:e,groups:n},s){return _o(
this.records,this.scatter,t,e,n,s)*this.record**2}sharesOf(t){let{sides:e,values:n}=this.rows,s=t.map(o=>Float64Array.from(n,(i,a)=>ie(o,e,a)));return{each:s,total:Un(
s,n.length)}}unite(t){let{sides:e,values:n}=this.rows,{each:s,total:o}=this.sharesOf(t),i=[],a=0;o.forEach((u,h)=>{u>0&&u<1&&i.push(h),a+=u*n[h]}),this.covariance.
ofWeights(o);let l=s.map(u=>i.map(h=>u[h]>0));return{value:a,partly:i,share:i.map(u=>o[u]),groups:qo(e,t,i,l)}}descend(t,e,n){let s=n<1/0?n/this.record**2/(1-(this.
model?.together??0)):1/0,{tree:o,covariance:i,totals:a,rows:l,inner:u,scatter:h}=this,c=[],m=[],[d,f,b]=[0,0,0];if(o.visit(l,t,e,{settle(w,y){if(i.settle(w,y),y===
0||(b+=y*a[w],y===1))return!1;let E=o.leaf[w];return c.push(E),m.push(y),s===1/0?!1:(d+=h[E]*y*(1-y),d>s)},enter(w){u[f]=w,f+=1}}),d>s)return null;for(let w=f-1;w>=
0;w-=1)i.join(u[w]);return{value:b,partly:c,share:m,groups:qr(l.sides,t,c)}}ofHistogram(t,[e,...n],s){let o=s.histogram_variances[e]??null;if(o===null||n.length)
return[1/0,0];let i=t[e],a=Z(i),l=this.sizes[e]-a;return[!i.some(c=>c.some(m=>m%1))?Math.min(a*o,l*o+this.covariance.root):1/0,o*Math.max(Math.min(a,l),0)]}cutOff(t,e,n){
return n.histogram_weight*Math.max(t-Math.max(e,0)**2,0)}};var Hn=class{constructor(t,e){this.sizes=e;this.rows=new K(Br(Fl(e,t.values.length),e),t.values)}sizes;rows;total(t){return Vo(this.rows,t)}},_n=class extends Hn{bucket;covariance;size;totals;constructor(t,e){
super(t,e),this.bucket=t.bucket;let n=new ue(t.axis,t.cut);this.covariance=new he(n,Dn(t.measured,t.variances)),this.size=new Float64Array(n.leaves),this.totals=
new Float64Array(n.leaves),this.bucket.forEach((s,o)=>{this.size[s]+=1,this.totals[s]+=t.values[o]})}answer(t){let e=new Float64Array(this.size.length),n=0;for(let o of t.
map(i=>this.rows.cover(i)))for(let i=0;i<this.bucket.length;i+=1){let a=1;for(let[l,u]of o)a*=u[this.rows.sides[l].which[i]];e[this.bucket[i]]+=a,n+=a*this.rows.
values[i]}let s=0;for(let o=0;o<e.length;o+=1)e[o]=Math.min(e[o]/this.size[o],1),s+=this.totals[o]**2*e[o]*(1-e[o]);return st(n,this.covariance.ofWeights(e),s,2.12)}},
qn=class extends Hn{bases;inverse;variance;constructor(t,e){super(t,e),this.bases=t.bases,this.inverse=t.inverse,this.variance=t.variance}answer(t){let e=t.map(
o=>this.rows.cover(o)),n=e.map(o=>this.turned(new Map(o))),s=0;return n.forEach((o,i)=>{n.slice(i).forEach((a,l)=>{s+=(l?2:1)*this.covariance(o,a)})}),st(this.total(
e),s*this.variance,0,2.12)}turned(t){return this.sizes.map((e,n)=>Rl(this.bases[n],e,this.weights(n,t.get(n))))}covariance(t,e){let n=this.inverse;return t.forEach(
(s,o)=>{let i=s[0]*e[o][0],a=0;for(let h=1;h<s.length;h+=1)a+=s[h]*e[o][h];let l=n.length/2,u=new Float64Array(l);for(let h=0;h<l;h+=1)u[h]=i*n[h]+a*n[l+h];n=u}),
n[0]}weights(t,e){let n=new Float64Array(this.sizes[t]).fill(1);return this.rows.sides[t].lower.forEach((s,o)=>{e&&(n[s]=e[o])}),n}},Gn=class{rows;constructor(t,e){
let n=t.values.length,s=e.map((o,i)=>t.coords.subarray(i*n,(i+1)*n));this.rows=new K(Br(s,e),t.values)}answer(t){return mt(Vo(this.rows,t.map(e=>this.rows.cover(
e))))}};function Vo(r,t){return t.reduce((e,n)=>e+r.weighted(n).reduce((s,o)=>s+o,0),0)}function Rl(r,t,e){let n=new Float64Array(t);for(let s=0;s<t;s+=1)if(e[s]!==
0)for(let o=0;o<t;o+=1)n[o]+=e[s]*r[s*t+o];return n}function Fl(r,t){let e=t;return r.map(n=>{e/=n;let s=new Int32Array(t);for(let o=0;o<t;o+=1)s[o]=Math.floor(
o/e)%n;return s})}var me={value:0,stderr:0,low:0,high:0,reach:0};function jr(r,t,e){return t.length>0&&r.length>0&&r.every(n=>Ll(n,t,e)>=1-1e-9)}function Ll(r,t,e){let n=0;for(let s of t){
let o=1;s.forEach(([i,a],l)=>{let[u,h]=[0,0];for(let[c,m]of r[l]??[[0,e[l]]])u+=Math.max(Math.min(m,a)-Math.max(c,i),0),h+=m-c;o*=h>0?u/h:0}),n+=o}return n}function Wo(r,t,e){if(!t.some(h=>Object.values(h).some(er)))return r;let n=e(Ko(t,!1)),s=Ko(t,!0).map(h=>e([h])),o=s.reduce((h,{value:c})=>h+c,0),i=s.reduce((h,{
reach:c})=>h+c,0),a=n.value-n.reach,l=Math.max(r.reach,r.value-a,o+i-r.value);if(!Number.isFinite(l))return{...mt(r.value),reach:l,note:r.note};let u=Math.min(r.
low,Math.max(0,a));return{...r,reach:l,low:u,high:Math.max(r.high,Math.max(0,o)+i)}}function Ko(r,t){return r.map(n=>Object.fromEntries(Object.entries(n).map(([
s,o])=>[s,Zr(o,t)]))).filter(n=>Object.values(n).every(s=>s.length))}function jn(r,t,e,n){let[s,o]=zo(e),i=r.histogram(t,s,n);return o?Float64Array.from(o,a=>i[a]):i}function Vn(r,t,e,n,s){let o=e.map(zo),i=o.map(([l])=>l),a=r.grid(
t,i,n,s);return o.every(([,l])=>l===null)?a:a.map((l,u)=>{let[h,c,m]=[u,1,0];for(let d=e.length-1;d>=0;d-=1){let f=h%e[d].length;m+=(o[d][1]?.[f]??f)*c,c*=e[d].
length,h=Math.floor(h/e[d].length)}return a[m]})}function zo(r){if(r.every((n,s)=>s===0||r[s-1][0]<=n[0]))return[r,null];let t=r.map((n,s)=>s).sort((n,s)=>r[n][0]-
r[s][0]),e=new Array(r.length);return t.forEach((n,s)=>{e[n]=s}),[t.map(n=>r[n]),e]}var Ul={value:NaN,stderr:null,low:null,high:null,reach:NaN},Kn=class{constructor(t,e,n){this.engine=t;this.measure=e;this.what=n}engine;measure;what;answer(t){let e=Array.
isArray(t)?t:[t],{engine:n,measure:s}=this,o=n.counted(e);if(o.low===null)return{...o,value:NaN};if(o===me)return this.what==="sum"?me:Ul;let i=s.sums.totals(e,
o.value,n.total),a=Math.sqrt(i.variance),l=s.sums.z*a*n.longer,u={...o,reach:o.reach*n.longer};return this.what==="sum"?this.sum(u,i.value,a,l):this.mean(u,i.value,
a,l)}sum(t,e,n,s){let{min:o,max:i}=this.measure,a=this.meanOf(t.value,e),l=o*t.value+e,u=Math.hypot(a*t.stderr,n),h=Math.max(Math.hypot(a*t.reach,s),this.least/
2),[c,m]=[o>=0?0:-1/0,i<=0?0:1/0],d=w=>Math.max(Math.min(w,m),c),f=Math.min(d(l-h),l),b=Math.max(d(l+h),l);return{...t,value:l,stderr:u,low:f,high:b,reach:h}}mean(t,e,n,s){
let{min:o,max:i}=this.measure,a=this.meanOf(t.value,e),l=t.value-t.reach,u=l>0?Math.max(s,this.least/2)/l:1/0,[h,c]=[Math.max(a-u,o),Math.min(a+u,i)],[m,d]=t.value>
0?[a,n/t.value]:[NaN,1/0];return{...t,value:m,stderr:d,low:h,high:c,reach:Math.min(u,i-o)}}get least(){return this.measure.shortest*this.engine.wider}meanOf(t,e){
let{min:n,max:s}=this.measure;return t>0?Math.min(Math.max(n+e/t,n),s):n}valueOf(t,e){return this.what==="sum"?this.measure.min*t+e:t>0?this.meanOf(t,e):NaN}value(t,e){
return this.valueOf(e,this.measure.sums.totals(t,e,this.engine.total).value)}histogram(t,e,n){let s=this.engine.histogram(t,e,n),o=jn(this.measure.sums.rows,t,e,
n);return s.map((i,a)=>this.valueOf(i,o[a]))}grid(t,e,n,s){let o=this.engine.grid(t,e,n,s),i=Vn(this.measure.sums.rows,t,e,n,s);return o.map((a,l)=>this.valueOf(
a,i[l]))}};var Pl=4,Wn=class{constructor(t,e,n,s){this.model=t;this.mixture=e;this.sizes=n;this.record=s;this.within=e.bins.map((o,i)=>Bl(o,n[i])),this.figures=n.map(()=>new ct(
Pl))}model;mixture;sizes;record;within;figures;ofBoxes(t){let[e,n,s]=[0,0,!0];for(let o of t){let i=this.ofBox(o);e+=Math.sqrt(i.least),n+=Math.sqrt(i.rest),s&&=
i.byPair}return{least:e**2,rest:n**2,byPair:s}}ofBox(t){let e=_(t,this.sizes),n=new Map(e.map(f=>[f,this.along(f,t[f])])),s=this.mixture.total,o=1/0,i=0,{sum_power:a,
centering:l=0}=this.model,u=({cells:f,mean:b})=>Math.max(0,f-l*b);for(let{axes:f,variance:b,dependence:w,misfit:y}of this.pairsIn(n)){let[E,S]=f.map(Rt=>this.along(
Rt,t[Rt])),M=Yo(n,f),R=this.scatter(s*(E.cut*S.share+S.cut*E.share)),H=this.ofPair(t,f),$t=this.scatter(H)*M*Math.max(1-M,0),X=y*b*(u(E)*u(S))**a;o=Math.min(o,M**
2*(this.farFromIndependent(X,Math.abs(H-s*E.share*S.share))+R)+$t),i=Math.max(i,M**2*w*s**2*Dl(E,S))}let h=0;for(let[f,{histogram:b}]of n)h+=b*Yo(n,[f])**2;let{
dependence_weight:c,histogram_weight:m}=this.model,d=e.length===2&&o<1/0;return{least:o,rest:c*i+m*h,byPair:d}}note(t,e){let n=o=>o.size>1&&this.pairsIn(o).length===
0,s=o=>new Set([..._(o,this.sizes),...e]);return t.some(o=>n(s(o)))?Gt:""}pairsIn(t){return this.model.pairs.filter(({axes:[e,n]})=>t.has(e)&&t.has(n))}along(t,e){
return this.figures[t].of(e,()=>this.figuresOf(t,e))}figuresOf(t,e){let n=this.within[t],s=this.mixture.bins[t].covered(e),o={share:0,cells:0,mean:0,cut:0,histogram:0};
for(let l=0;l<s.length;l+=1)o.share+=n[l]*s[l],o.cells+=s[l]**2,o.mean+=s[l],o.cut+=n[l]*s[l]*(1-s[l]);o.mean=o.mean**2/s.length;let i=Z(e),a=Math.max(0,Math.min(
i,this.sizes[t]-i));return o.histogram=(this.model.histogram_variances[t]??0)*a,o}farFromIndependent(t,e){let{least_noise:n=1,most_noise:s=1}=this.model;return t===
0?0:t*(n+(s-n)*(e/(e+Math.sqrt(t))))}ofPair(t,[e,n]){let{weights:s,total:o}=this.mixture,i=this.mixture.mass(e,t[e]),a=this.mixture.mass(n,t[n]),l=0;for(let u=0;u<
s.length;u+=1)l+=s[u]*i[u]*a[u];return o*l}scatter(t){return this.model.pair_scatter*Ct(t/this.record,this.model)*this.record**2}};function Dl(r,t){return r.share===
0||t.share===0?0:Math.min(1,r.cut/r.share+t.cut/t.share)**2*r.share*t.share*(1-r.share)*(1-t.share)}function Yo(r,t){let e=1;for(let[n,{share:s}]of r)t.includes(
n)||(e*=s);return e}function Bl(r,t){let e=r.mass?.reduce((s,o)=>s+o,0)??0,n=(s,o)=>e>0?(r.at(o)-r.at(s))/e:(o-s)/t;return Float64Array.from(r.lower,(s,o)=>n(s,
r.upper[o]))}var zn=class extends ce{mixture;errorModel;pairs;constructor(t,e){let n=new ae(t.mixture,t.density);super(t,e,s=>new le(s,t.corrections,n)),this.mixture=n,this.
errorModel=t.errorModel,this.pairs=new Wn(t.errorModel,n,e,t.record)}answer(t,e=null){let{least:n,rest:s,cut:o,byPair:i}=this.told(t),a=i&&e!==null?null:this.summed(
t,e===null?1/0:n),{errorModel:l}=this,u=e===null||i?t.reduce((b,w)=>b+this.mixture.value(w),0):0,h=e??u+(a?.value??0),c=i?h-u:0,m=a&&!i?a.noise+this.scattered(a,
l)+this.cutOff(o,h,l):1/0,d=(l.correction_weight??0)*c**2,f=Math.min(m,n)+s+d;return{...st(h,f,0,l.z),note:this.note(t)}}told(t){let e=t.length===1?_(t[0],this.
sizes):null;if(e===null||e.length>1)return{...this.pairs.ofBoxes(t),cut:0};let[n,s]=this.ofHistogram(t[0],e,this.errorModel);return{least:n,rest:0,cut:s,byPair:!1}}note(t,e=[]){
return this.pairs.note(t,e)}};var Qo={u1:Uint8Array,f8:Float64Array,i4:Int32Array,i2:Int16Array,u2:Uint16Array,u4:Uint32Array};async function Hl(r){let t=Uint8Array.from(atob(r.data),n=>n.charCodeAt(
0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate"));return new Qo[r.type](await new Response(e).arrayBuffer())}async function Ne(r){if(r===
null||typeof r!="object")return r;if(_l(r))return Hl(r);if(Array.isArray(r))return Promise.all(r.map(Ne));let t=Object.entries(r).map(async([e,n])=>[e,await Ne(
n)]);return Object.fromEntries(await Promise.all(t))}function _l(r){return"data"in r&&"type"in r&&String(r.type)in Qo}var Yn=class{constructor(t,e){this.facts=t;this.sizes=e;this.rows=new K(e.map((n,s)=>ql(s,n,t,e)),t.values),this.known=new Set(t.parts.map(n=>n.join()))}facts;sizes;rows;known;answer(t){
let e=t.map(l=>this.rows.cover(l)),n=e.reduce((l,u)=>l+this.rows.weighted(u).reduce((h,c)=>h+c,0),0),s=this.note(t);if(s)return{...mt(n),note:s};let o=e.map(l=>new Map(
l)),i=t.map(l=>new Set(_(l,this.sizes))),a=0;return t.forEach((l,u)=>{t.forEach((h,c)=>{a+=this.covariance(o[u],o[c],[...i[u]].filter(m=>i[c].has(m)))})}),st(n,
Math.max(a,0),0,2.12)}note(t,e=[]){let n=o=>this.known.has([...new Set([..._(o,this.sizes),...e])].filter(i=>this.sizes[i]>1).sort((i,a)=>i-a).join()),s=o=>Object.
values(o).some(i=>Z(i)===0);return t.every(o=>s(o)||n(o))?"":this.facts.caution}covariance(t,e,n){let s=(a,l)=>{let u=a.get(l);return u?u.subarray(0,this.sizes[l]).
reduce((h,c)=>h+c,0)/this.sizes[l]:1},o=[...new Set([...t.keys(),...e.keys()])],i=0;return this.facts.parts.forEach((a,l)=>{if(!a.every(h=>n.includes(h)))return;
let u=this.facts.variances[l];for(let h of o){let[c,m]=[t.get(h),e.get(h)];u*=a.includes(h)&&c&&m?this.product(h,c,m):s(t,h)*s(e,h)}i+=u}),i}product(t,e,n){let[
s,o]=[this.sizes[t],this.facts.covariances[t]],i=0;for(let a=0;a<s;a+=1){if(e[a]===0)continue;let l=0;for(let u=0;u<s;u+=1)l+=o[a*s+u]*n[u];i+=e[a]*l}return i}};
function ql(r,t,{parts:e,density:n,values:s},o){let i=new Int32Array(s.length),a=0;for(let h of e){let c=h.reduce((f,b)=>f*o[b],1),m=h.indexOf(r),d=h.slice(m+1).
reduce((f,b)=>f*o[b],1);for(let f=0;f<c;f+=1,a+=1)i[a]=m<0?t:Math.floor(f/d)%t}let l=Float64Array.from({length:t+1},(h,c)=>c<t?c:0),u=Float64Array.from({length:t+
1},(h,c)=>c<t?c+1:t);return new rt(l,u,i,n[r])}var Qn=class{constructor(t,e){this.parts=t;this.correlation=e;this.rows=new Xn(t.map(({content:n})=>n.rows))}parts;correlation;rows;values=new WeakMap;answer(t){
let[e,n]=[new Oe(this.correlation),new Oe(this.correlation)],s=new Float64Array(this.parts.length);this.values.set(t,s);let o=0,i="";this.parts.forEach(({content:h,
isZero:c,modeled:m,mixed:d},f)=>{let b=Vr(t,f);if(b.length===0||c(b))return;let w=h.answer(b);o+=w.value,s[f]=w.value,i||=w.note??"";let y=w.stderr??w.reach,E=Math.
sqrt(Math.max(w.reach**2-(2.12*y)**2,0));e.add(y,d?y:0),n.add(w.reach,m?w.reach:E)});let[a,l]=[e.total,n.total],u=i?{note:i}:{};return Number.isFinite(l)?we({value:o,
stderr:a,...u},l):{...mt(o),reach:l,...u}}note(t,e=[]){let n=e.filter(o=>o>0).map(o=>o-1);return this.parts.map(({content:o},i)=>{let a=Vr(t,i);return a.length?
o.note?.(a,n)??"":""}).find(o=>o!=="")??""}sums({periods:t}){let e=this.parts.flatMap(({content:s},o)=>s.sums?.(t[o])??[]),n=this.parts.map(({content:s})=>s.answer(
[{}]).value);return new Kr(e,n,this.correlation,s=>this.valuesOf(s))}valuesOf(t){return this.values.has(t)||this.answer(t),this.values.get(t)}};function Vr(r,t){
return r.filter(e=>Zo(e,t)).map(ti)}var Kr=class{constructor(t,e,n,s){this.parts=t;this.all=e;this.correlation=n;this.countsOf=s;this.rows=new Xn(t.map(({rows:o})=>o))}parts;all;correlation;countsOf;rows;get z(){
return this.parts[0].z}totals(t){let[e,n]=[this.countsOf(t),new Oe(this.correlation)],s=0;return this.parts.forEach((o,i)=>{let a=Vr(t,i);if(a.length===0)return;
let{value:l,variance:u}=o.totals(a,e[i],this.all[i]);s+=l,n.add(Math.sqrt(u),Math.sqrt(u))}),{value:s,variance:n.total**2}}},Oe=class{constructor(t){this.correlation=
t}correlation;squares=0;alike=0;own=0;add(t,e){this.squares+=t**2,Number.isFinite(e)&&(this.alike+=e,this.own+=e**2)}get total(){return Math.sqrt(this.squares+this.
correlation*Math.max(this.alike**2-this.own,0))}},Xn=class{constructor(t){this.parts=t}parts;histogram(t,e,n){return this.grid([t],[e],n)}grid(t,e,n,s){let o=new Float64Array(
e.reduce((c,m)=>c*m.length,1)),i=t.indexOf(0),a=i<0||s?.within?n:Gl(n),l=t.filter(c=>c!==0).map(c=>c-1),u=e.filter((c,m)=>m!==i),h=e.slice(i+1).reduce((c,m)=>c*
m.length,1);return this.parts.forEach((c,m)=>{if(!Zo(a,m))return;let d=c.grid(l,u,ti(n),s);for(let[f,b]of i<0?[[0,null]]:e[i].entries()){if(b&&!Jo([b],m))continue;
let w=b?e[i].length:1;d.forEach((y,E)=>{let S=b?(Math.floor(E/h)*w+f)*h+E%h:E;o[S]+=y})}}),o}};function Zo(r,t){return r[0]===void 0||Jo(r[0],t)}function Jo(r,t){
return Z(F(r,[[t,t+1]]))===1}var Xo=new WeakMap;function ti(r){let t=Xo.get(r);if(t)return t;let e={};for(let[n,s]of Object.entries(r))n!=="0"&&(e[Number(n)-1]=
s);return Xo.set(r,e),e}function Gl({0:r,...t}){return t}var Zn=class r{constructor(t,e,n=[]){this.facts=t;this.content=e;this.attributes=t.axes.map((o,i)=>new Bt(o,i)),this.sizes=t.axes.map(o=>o.size),this.byName=new Map(
this.attributes.map(o=>[o.name,o]));let s=this.attributes.flatMap((o,i)=>(t.axes[i].maps??[]).map(a=>new Mt(a,o)));this.mapped=new Map(s.map(o=>[o.name,o])),this.
measures=n.flatMap(o=>e.sums?[{...o,sums:e.sums(o.sums)}]:[]),this.total=this.measures.length?e.answer([{}]).value:NaN}facts;content;attributes;sizes;byName;mapped;measures;total;names=new Map;together=1;static async open(t){
let e=t.axes.map(s=>s.size),n=ei(await Ne(t.content),e,t.impossible);return new r(t,n,await Ne(t.measures??[]))}answer(t,e){let n=Array.isArray(t)?t:[t],s=this.
counted(n,e);if(s.low===null||s===me)return s;let o=this.longer>1?we(s,s.reach*this.longer):s,i=Wo(o,n,a=>{let{value:l,reach:u}=this.counted(a);return{value:l,reach:u*
this.longer}});return i.low===null?i:Ps(i,this.shortest)}counted(t,e){let{impossible:n=[]}=this.facts;return jr(t,n,this.sizes)?me:this.content.answer(t,e)}measured(t,e){
return new Kn(this,t,e)}get longer(){return this.together>1?Ge(this.together):1}get wider(){return this.together>1?Us(this.together):1}get shortest(){return this.
facts.privacy.shortest*this.wider}shareBounds(t,e){return Fs(t.value,this.reachOf(t),e.value,this.reachOf(e))}reachOf({reach:t,stderr:e}){return Math.max(t,e!==
null&&e>0?this.shortest/2:0)}jointly(t){return Object.assign(Object.create(r.prototype),this,{together:t})}note(t,e){return this.content.note?.(t,e)??""}get measuredPairs(){
let{content:t}=this.facts,e=s=>s.mixture?s.errorModel?.pairs??[]:[];if(!t.periods)return e(t).map(({axes:s})=>s);let n=t.periods.flatMap(e).map(({axes:[s,o]})=>`${s+
1},${o+1}`);return[...new Set(n)].map(s=>s.split(",").map(Number))}levelsOf(t){return[...this.mapped.values()].filter(({of:e,isLevel:n})=>n&&e===t)}largestNames(t){
let e=this.names.get(t);if(e)return e;let n=Array.from({length:this.attributes[t].count},(i,a)=>a);if(this.attributes[t].isPeriod)return n;let s=n.map(i=>[i,i+1]),
o=this.histogram(t,s,{});return n.sort((i,a)=>o[a]-o[i]),this.names.set(t,n),n}histogram(t,e,n){return jn(this.content.rows,t,e,n)}grid(t,e,n,s){return Vn(this.
content.rows,t,e,n,s)}narrowed(t,e,n){let s={...t};return e.forEach((o,i)=>{s[o]=Jr(n[i])}),s}};function ei(r,t,e=[]){let n=r;return r.kind==="union"?jl(n,t,e):
r.mixture?new zn(n,t):r.kind==="blocks"?new ce(n,t):r.kind==="buckets"?new _n(n,t):r.kind==="matrix"?new qn(n,t):r.kind==="tables"?new Yn(n,t):new Gn(n,t)}function jl({
periods:r,correlation:t},e,n){let[s,o]=[e.slice(1),n.map(a=>a.slice(1))],i=r.map(a=>({content:ei(a,s),isZero:l=>jr(l,o,s),modeled:!!a.errorModel,mixed:!!a.mixture}));
return new Qn(i,t)}var Vl=["a","b"],Kl=["shown","map","group"];function si(r,t){let e=r.engine.attributes.map(o=>o.name),n=new URLSearchParams,s=(o,i)=>{for(let[a,l]of Object.entries(
i))n.append(`${o}.${e[Number(a)]}`,l.map(u=>u.join("~")).join(" "))};s("in",r.filters),r.quantity&&n.append("quantity",Yt(r.quantity)),r.compared!==t.compared&&
(n.append("compared","true"),r.compared.forEach((o,i)=>{s(Vl[i],o)}));for(let o of Kl)String(r[o])!==String(t[o])&&n.append(o,JSON.stringify(r[o].map(i=>e[i])));
String(r.shares)!==String(t.shares)&&n.append("shares",r.shares.join(" "));for(let[o,{unit:i,window:a}]of Object.entries(r.grains))n.append(`bins.${e[Number(o)]}`,
a?`${i} ${a.join("~")}`:i);return r.zoomed&&n.append("zoomed","true"),r.simultaneous&&n.append("simultaneous","true"),r.sql!==null&&n.append("sql",r.sql),n.toString()}
function Wr(r,t){let e={},n=[{},{}],s={},o={filters:e,grains:s};for(let[i,a]of new URLSearchParams(r.replace(/^#/,""))){let[l]=i.split(".",1),u={in:e,a:n[0],b:n[1]}[l];
if(u&&i.includes(".")){let h=t.byName.get(i.slice(l.length+1)),c=h&&ni(a,h.size);c&&(u[h.axis]=c)}else if(i==="quantity")o.quantity=sn(a,t);else if(i==="compare\
d")o.compared=n;else if(i.startsWith("bins.")){let h=t.byName.get(i.slice(5)),[c,m]=a.split(" "),[d]=h&&m&&ni(m,h.count)||[],f=h?t.levelsOf(h):[],b=f.some(({name:w})=>w===
c)||f.length>0&&c===""&&d;h&&(h.isCalendar&&Ae.includes(c)||b)&&(s[h.axis]={unit:c,window:d??null})}else if(i==="shown"||i==="group")o[i]=ri(a,t)??void 0;else if(i===
"map"){let[h,c,...m]=ri(a,t)??[];c!==void 0&&m.length===0&&(o.map=[h,c])}else if(i==="shares"){let h=a.split(" ").map(Number);h.length<=20&&h.every(c=>c>=0&&c<=
1)&&(o.shares=h)}else i==="simultaneous"||i==="zoomed"?o[i]=a==="true":i==="sql"&&(o.sql=a.slice(0,5e4))}return o}function ni(r,t){let e=r===""?[]:r.split(" ").
map(s=>s.split("~").map(Number));return e.every(s=>s.length===2&&s[0]>=0&&s[0]<s[1]&&s[1]<=t)?T(e):null}function ri(r,t){try{let e=JSON.parse(r),n=e.flatMap(s=>t.
byName.get(s)?.axis??[]);return n.length===e.length?[...new Set(n)]:null}catch{return null}}var Jn=class{jobs=new Map;waiting=[];planned=!1;start(t,e,n=12){this.jobs.set(t,e),n>0&&this.turn(t,e,performance.now()+n),this.plan()}settled(){return this.jobs.
size===0?Promise.resolve():new Promise(t=>this.waiting.push(t))}plan(){if(this.jobs.size===0)for(let t of this.waiting.splice(0))t();else this.planned||(this.planned=
!0,setTimeout(()=>this.slice(),0))}slice(){this.planned=!1;let t=performance.now()+12;for(let[e,n]of[...this.jobs]){if(performance.now()>=t)break;this.turn(e,n,
t)}this.plan()}turn(t,e,n){for(;performance.now()<n;)if(e.next().done){this.jobs.get(t)===e&&this.jobs.delete(t);return}}};function oi(r,t){let e=Wl(r),n=e.filter(u=>!t||u.some(h=>!t.includes(h))),s=Math.max(1,Math.min(60,Math.floor(2e6/r.facts.rows))),o=(n.length?n:e).slice(0,s),i=null,
a=-1;for(let u of o){let h=zl(r,u);h>a&&([i,a]=[u,h])}let l=u=>r.attributes[u].count;return i&&l(i[0])<l(i[1])?[i[1],i[0]]:i}function Wl(r){let t=r.measuredPairs;
if(t.length)return t;let e=r.attributes.map(({axis:n})=>n);return e.flatMap(n=>e.slice(n+1).map(s=>[n,s]))}function zl(r,t){let e=t.map(u=>Yl(r,r.attributes[u])),
n=r.grid(t,e,{}).map(u=>Math.max(u,0)),s=n.reduce((u,h)=>u+h,0);if(!(s>0))return 0;let o=e[1].length,[i,a]=e.map(u=>new Float64Array(u.length));n.forEach((u,h)=>{
i[Math.floor(h/o)]+=u/s,a[h%o]+=u/s});let l=(u,h)=>Math.abs(u/s-i[Math.floor(h/o)]*a[h%o]);return n.reduce((u,h,c)=>u+l(h,c),0)/2}function Yl(r,t){return t.ordered?
t.displayBins(10):r.largestNames(t.axis).slice(0,10).map(e=>[e,e+1])}function ii(r){let t=r.attributes.find(({ordered:i,count:a})=>!i&&a>1);if(t){let[i,a]=r.largestNames(t.axis);return[{[t.axis]:[[i,i+1]]},{[t.axis]:[[a,a+1]]}]}let{
axis:e,count:n}=r.attributes[0],s=Math.ceil(n/2),o=i=>({[e]:F([i],[[0,n]])});return[o([0,s]),o([s,n])]}var Ql=6,tr=class{constructor(t){this.engine=t;this.coordinates=No(t.attributes),this.firstCompared=ii(t),this.firstMap=oi(t,this.coordinates)??[0,0],this.restore(
{})}engine;shown;filters;quantity;map;group;shares;sql;compared;zoomed;grains;simultaneous;coordinates;firstCompared;firstMap;listeners=[];restore(t){let{shown:e,
filters:n,quantity:s,map:o,group:i,shares:a,sql:l,compared:u,zoomed:h,grains:c,simultaneous:m}=t,d=this.engine.attributes.map(f=>f.axis);this.shown=e??d.slice(0,
Ql),this.filters=n??{},this.quantity=s??null,this.map=o??this.firstMap,this.group=i??[d[0]],this.shares=a??[.1,.25,.5,.75,.9],this.sql=l??null,this.compared=u??
this.firstCompared,this.zoomed=h??!1,this.grains=c??{},this.simultaneous=m??!1}onChange(t){this.listeners.push(t)}changed(){for(let t of this.listeners)t()}filter(t,e){
if(de(this.filters[t],e??void 0))return;let n=[[0,this.engine.attributes[t].size]],s={...this.filters};e===null||de(e,n)?delete s[t]:s[t]=F(e,n),this.filters=s,
t in s||(this.grains=ai(this.grains,t)),this.changed()}clear(){this.filters={};for(let t of Object.keys(this.grains))this.grains=ai(this.grains,Number(t));this.
changed()}engineFor(t){return this.simultaneous?this.engine.jointly(t):this.engine}asked(t=1){let e=this.engineFor(t);return this.quantity?e.measured(this.quantity.
measure,this.quantity.what):e}choose(t,e){Object.assign(this,{[t]:e}),this.changed()}};function ai(r,t){let{[t]:e,...n}=r;return e&&!e.window?r:n}var Xl=8,zr=class{constructor(t){this.engine=t;this.store=new tr(t),this.first={...this.store},this.whole=t.answer({}),this.count=new Nn(this.store),this.quantity=
t.measures.length?new Fn(this.store):null,this.options=new $n(this.store);let{coordinates:e}=this.store;this.heat=t.attributes.length>1?new Cn(this.store):null,
this.maps=[e&&new Rn(this.store,e),this.heat].filter(n=>n!==null),this.compare=new In(this.store),this.groups=new On(this.store,this.scheduler),this.quantiles=new Mn(
this.store),this.sql=new Ln(this.store,this.scheduler)}engine;times=[];store;first;scheduler=new Jn;whole;cards=new Map;count;quantity;options;grid=p("div",{class:"\
cards"});maps;heat;compare;groups;quantiles;sql;planned=!1;hash="";writing=0;start(t){let{facts:e}=this.engine,n=this.maps.length>1,s=[Fo(e),Lo(e),this.count.element,
this.quantity?.element??null,So(this.engine.measures.length>0),this.options.element,p("h2",{class:"unseen"},"Charts"),this.grid,p("div",{class:"panels"},p("div",
{},...this.maps.map(o=>o.element),...n?[]:[this.compare.element]),p("div",{},this.groups.element,...n?[this.compare.element]:[])),this.quantiles.element,this.sql.
element,Uo(e)];t.replaceChildren(...s.filter(o=>o!==null)),this.store.restore(Wr(location.hash,this.engine)),this.store.onChange(()=>this.plan()),window.addEventListener(
"hashchange",()=>this.readHash()),new ResizeObserver(()=>this.resize()).observe(this.grid),this.draw()}readHash(){location.hash.replace(/^#/,"")!==this.hash&&(this.
store.restore(Wr(location.hash,this.engine)),this.plan())}plan(){this.planned||(this.planned=!0,requestAnimationFrame(()=>{this.planned=!1,this.draw()}))}draw(){
let t=performance.now(),{filters:e,shown:n}=this.store,s=this.store.asked();this.count.draw(s.answer(e),this.store.quantity?s.answer({}):this.whole),this.quantity?.
draw(),this.options.draw(),this.arrange(n);for(let o of n){let i=this.cardOf(o);i.arrange(),i.draw(s.histogram(o,i.bins,e))}for(let o of this.maps)o.draw(o.compute());
this.quantiles.draw(),this.sql.draw(),this.scheduler.start("errors",this.errors(),Xl),this.writeHash(),this.times.push(performance.now()-t)}arrange(t){let e=t.map(
s=>this.cardOf(s).element);e.length===this.grid.childElementCount&&e.every((s,o)=>this.grid.children[o]===s)||(this.grid.replaceChildren(...e),this.resize())}cardOf(t){
let e=this.cards.get(t)??new Sn(this.store,this.engine.attributes[t]);return this.cards.set(t,e),e}resize(){for(let t of this.store.shown)this.cards.get(t)?.resize();
for(let t of this.maps)t.resize()}*errors(){let{engine:t}=this,{filters:e,shown:n}=this.store;this.groups.draw(),yield,this.compare.draw(),yield;for(let s of n){
let o=this.cardOf(s),i=[],a=this.store.asked(o.bins.length);for(let[u,h]of o.bins.entries())i.push(a.answer(t.narrowed(e,[s],[h]),o.values[u])),yield;let l=t.attributes[s].
ordered?new tt(t,s,[e]):null;o.drawErrors(i,l?[.25,.5,.75].map(u=>l.quantile(u)):[])}for(let s of this.maps)(s===this.heat||I(this.store.quantity))&&(yield*this.
mapErrors(s));yield*this.quantiles.fill()}*mapErrors(t){let[e,n]=t.bins,s=[],o=this.store.asked(e.length*n.length);for(let i of e)for(let a of n){let l=t.values[s.
length];s.push(o.answer(this.engine.narrowed(this.store.filters,t.axes,[i,a]),l)),yield}t.drawErrors(s)}writeHash(){this.hash=si(this.store,this.first),clearTimeout(
this.writing),this.writing=window.setTimeout(()=>history.replaceState(null,"",this.hash?`#${this.hash}`:location.pathname+location.search),150)}async settled(){
do await new Promise(t=>requestAnimationFrame(()=>setTimeout(t,0))),await this.scheduler.settled();while(this.planned)}};function li(r){let t=document.getElementById(
r);if(!t)throw new Error(`the page has no part ${r}`);return t}var Te=await Zn.open(JSON.parse(li("view").textContent)),Yr=new zr(Te);Yr.start(li("page"));var Zl={
ready:!0,answer:r=>Te.answer(r),histogram:(r,t,e)=>Te.histogram(r,t,e),quantiles:(r,t,e)=>yt(new tt(Te,r,[e]).boundedQuantiles(t)),sql:r=>{let{columns:t,rows:e}=rn(
Te,r),n=(s,o)=>"text"in s?s.text(o):yt(s.figure(o));return{columns:t.map(({name:s})=>s),rows:e.map(s=>t.map(o=>n(o,s)))}},settled:()=>Yr.settled(),times:Yr.times};
Object.assign(window,{ripost:Zl});
