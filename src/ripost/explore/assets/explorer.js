function R(s){let t=[];for(let[e,n]of[...s].sort((r,i)=>r[0]-i[0]||r[1]-i[1])){let r=t[t.length-1];r&&e<=r[1]?r[1]=Math.max(r[1],n):t.push([e,n])}return t}function k(s,t){
let e=[],n=0,r=0;for(;n<s.length&&r<t.length;){let i=Math.max(s[n][0],t[r][0]),o=Math.min(s[n][1],t[r][1]);i<o&&e.push([i,o]),s[n][1]<t[r][1]?n+=1:r+=1}return e}
function D(s){return s.reduce((t,[e,n])=>t+n-e,0)}function gt(s,t){let e=[],n=0;for(let[r,i]of R(s))r>n&&e.push([n,Math.min(r,t)]),n=Math.max(n,i);return n<t&&e.
push([n,t]),e}var Qe=new WeakMap,Ye=[];function bt(s,t=Ye){let e=Qe.get(s)??new WeakMap;Qe.set(s,e);let n=e.get(t)??(t===Ye?[s]:k([s],t));return e.set(t,n),n}function at(s,t){
return!s||!t?s===t:s.length===t.length&&s.every(([e,n],r)=>e===t[r][0]&&n===t[r][1])}var f=class extends Error{};function Q(s,t,e,{after:n=!1,before:r=!1}={}){if(!s.ordered)throw new f(`${s.name} has no order; ask for values, not for a range`);let i=t===
null?null:fe(s,t),o=e===null?null:fe(s,e);if(i!==null&&o!==null&&i>o)throw new f(`${s.name}: the range is reversed, ${t} is above ${e}`);let a=i===null?s.edge(0):
Ze(s,i,n),l=o===null?s.edge(s.count):Ze(s,o,!r);return[ge(s,a,Math.max(a,l))].filter(([h,u])=>h<u)}function wt(s,t){if(s.other&&t===s.otherName)return[[s.count,
s.count+1]];if(!s.ordered){let r=s.codes.get(s.type==="boolean"?ur(t):t);if(r===void 0)throw new f(`${s.name} has no value '${t}'; ${hr(s)}`);return[[r,r+1]]}let e=fe(
s,t);if(s.step){let r=Math.floor(e/s.step)*s.step;return[ge(s,r,r+s.step)]}ge(s,e,e);let n=Math.min(Math.floor(s.positionOf(e)),s.count-1);return[[n,n+1]]}function Je(s){
if(!s.missing)throw new f(`${s.name} has no missing values: its schema drops them`);return[[s.missingCode,s.missingCode+1]]}function be(s,t){return gt(t,s.missingCode)}
function fe(s,t){let e=s.parse(t);if(e===null)throw new f(`${s.name}: cannot read '${t}' as ${s.type}`);return e}function Ze({step:s},t,e){return s?(e?Math.floor(
t/s)+1:Math.ceil(t/s))*s:t}function ge(s,t,e){let n=s.edge(0),r=s.edge(s.count);if(t>r||e<n||s.step&&(t===r||e===n)){let i=`${s.text(n)} to ${s.text(r-s.step)}`;
throw new f(`${s.name} lies in ${i}; the range asked is outside`)}return[s.positionOf(t),s.positionOf(e)]}function hr({names:s}){return s.length<=12?`known: ${s.
join(", ")}`:`there are ${s.length} to choose from`}function ur(s){let t=s.trim().toLowerCase();return["false","f","no","n","0"].includes(t)?"false":["true","t",
"yes","y","1"].includes(t)?"true":t}function*Y(s){return yield,s()}function j(s){for(;;){let t=s.next();if(t.done)return t.value}}var cr=500;function N(s,t){return ye(s.flatMap(e=>t.flatMap(n=>en(e,n))))}function tn(s,t){let e=new Map,n=[];for(let o of s){let a=o.length===1?Object.keys(o[0]):
[];a.length===1?e.set(a[0],[...e.get(a[0])??[],...o[0][a[0]]]):n.push(o)}let r=[...e].map(([o,a])=>[{[o]:R(a)}]),i=[];for(let o of[...r,...n])i=ye([...i,...yt(o,
i,t)]);return we(i)}function yt(s,t,e){let n=s;for(let r of t)n=ye(n.flatMap(i=>mr(i,r,e)));return n}function we(s){let t=[];for(let e of s){let n=t.findIndex(r=>Xe(
e,r).length===1);if(n<0)t.push(e);else{let[r]=Xe(e,t[n]);t[n]={...t[n],[r]:R([...t[n][r],...e[r]])}}}return t}function en(s,t){let e={...s};for(let[n,r]of Object.
entries(t))if(e[n]=n in s?k(s[n],r):r,e[n].length===0)return[];return[e]}function mr(s,t,e){if(en(s,t).length===0)return[s];let n=[],r=s;for(let[i,o]of Object.entries(
t)){let a=e[Number(i)],l=r[i]??[[0,a]],h=k(l,gt(o,a));h.length&&n.push({...r,[i]:h}),r={...r,[i]:k(l,o)}}return n}function Xe(s,t){let e=Object.keys(s);return String(
e)!==String(Object.keys(t))?["",""]:e.filter(n=>!at(s[n],t[n]))}function ye(s){if(s.length>cr)throw new f("the conditions fall into too many parts; ask with few\
er ORs");return s}var pr={"=":"<>","<>":"=","!=":"=","<":">=",">=":"<",">":"<=","<=":">"};function lt(s,t){return s===null?[{}]:ve(s,t,!1)}function ve(s,t,e){if(s.kind==="not")return ve(
s.part,t,!e);if("parts"in s){let i=s.parts.map(o=>ve(o,t,e));return s.kind==="and"!==e?i.reduce((o,a)=>N(o,a)):tn(i,t.sizes)}let n=B(s.name,t);if(s.alone&&n.type!==
"boolean")throw new f(`${n.name} is no condition by itself; compare it with a value`);let r=dr(s,n,e);return r.length?[{[n.axis]:r}]:[]}function dr(s,t,e){if(s.
kind==="compare"){let r=e?pr[s.sign]:s.sign;return r==="="?wt(t,s.value):r==="<>"||r==="!="?be(t,wt(t,s.value)):r[0]==="<"?Q(t,null,s.value,{before:r==="<"}):Q(
t,s.value,null,{after:r===">"})}if(s.kind==="null")return e?[[0,t.missingCode]]:Je(t);let n=s.kind==="between"?Q(t,s.low,s.high):R(s.values.flatMap(r=>wt(t,r)));
return e?be(t,n):n}function B({text:s,quoted:t},e){let n=e.byName.get(s);if(n)return n;let r=e.attributes.filter(a=>a.name.toLowerCase()===s.toLowerCase());if(r.
length===1&&!t)return r[0];let i=e.attributes.map(a=>a.name),o=i.length<=12?`known: ${i.join(", ")}`:`there are ${i.length} to choose from`;throw new f(`the vie\
w has no dimension "${s}"; ${o}`)}var xe=1e4;function vt(s,t,e,n){let r=n.map((l,h)=>l.filter(u=>t.some(c=>nn(u,c[e[h]])))),i=r.reduce((l,h)=>l*h.length,1);if(i>xe){let l=i.toLocaleString("en-US");
throw new f(`that gives ${l} rows; group by fewer dimensions, or narrow them down first`)}let o=new Float64Array(i);for(let l of t)s.grid(e,r,l,{within:!0}).forEach(
(h,u)=>{o[u]+=h});let a=Array.from(o,(l,h)=>{let u=fr(h,r).map((p,d)=>r[d][p]);return{labels:u.map((p,d)=>s.attributes[e[d]].describeBin(p)),bins:u,value:l,answer:null}});
return t.length===1?a:a.filter(({bins:l})=>t.some(h=>l.every((u,c)=>nn(u,h[e[c]]))))}function nn(s,t){return t===void 0||k([s],t).length>0}function fr(s,t){let e=new Array(
t.length),n=s;for(let r=t.length-1;r>=0;r-=1)e[r]=n%t[r].length,n=Math.floor(n/t[r].length);return e}var gr={"=":(s,t)=>s===t,"<>":(s,t)=>s!==t,"!=":(s,t)=>s!==t,"<":(s,t)=>s<t,"<=":(s,t)=>s<=t,">":(s,t)=>s>t,">=":(s,t)=>s>=t};function rn(s,t,e){let n=Me(s,e);return t.
filter(r=>n(r)===!0)}function Me(s,t){if(s.kind==="not"){let o=Me(s.part,t);return a=>yr(o(a))}if("parts"in s){let o=s.parts.map(a=>Me(a,t));return a=>Ae(o,a,s.
kind==="or")}let e=br(s).flatMap(o=>"value"in o?[]:[t(o)]);if(e.length===0)throw new f("HAVING compares what can be listed with values");let n=o=>"value"in o?wr(
e[0].read(o.value)):t(o).get,r=n(s.left);if(s.kind==="null")return o=>r(o)===null;if(s.kind==="between"){let[o,a]=[n(s.low),n(s.high)],l=[h=>xt(">=",r(h),o(h)),
h=>xt("<=",r(h),a(h))];return h=>Ae(l,h,!1)}if(s.kind==="in"){let o=s.values.map(n).map(a=>l=>xt("=",r(l),a(l)));return a=>Ae(o,a,!0)}let i=n(s.value);return o=>xt(
s.sign,r(o),i(o))}function br(s){return s.kind==="compare"?[s.left,s.value]:s.kind==="between"?[s.left,s.low,s.high]:s.kind==="in"?[s.left,...s.values]:[s.left]}
function wr(s){return()=>s}function xt(s,t,e){return t===null||e===null?null:gr[s](t,e)}function yr(s){return s===null?null:!s}function Ae(s,t,e){let n=!1;for(let r of s){
let i=r(t);if(i===e)return e;i===null&&(n=!0)}return n?null:!e}function ke(s){let[t,e,n]=[s(0),s(.5),s(1)],r=2*(t-2*e+n),i=4*e-3*t-n,o=Math.sqrt(Math.max(i**2-4*r*t,0)),a=-(i+(i<0||Object.is(i,-0)?-o:o))/2,l=[a/r,t/a].filter(
u=>u>=0&&u<=1);return[t<=0?0:l.length?Math.min(...l):NaN,n<=0?1:l.length?Math.max(...l):NaN]}function sn(s,t,e,n){let[r,i]=[Math.max(s,0),Math.max(e,0)],[o,a]=ke(
l=>(r-l*i)**2-t**2-(l*n)**2);return[Number.isNaN(o)?1:o,Number.isNaN(a)?1:a]}function on(s,t,e){let n=new At(s,t,e),r=n.value[0]-n.value[2],[i,o]=[n.stderr,n.reach].map(l=>Math.min(Math.sqrt(Ie(l,[1,0,-1])),l[3]+l[4])),a=n.endless?1/0:o;
return{value:r,stderr:V(i),low:V(r-a),high:V(r+a),note:n.note}}function an(s,t,e){let n=new At(s,t,e),[r,i]=n.whole,o=i>0?r/i:NaN,a=Math.sqrt(Ie(n.stderr,[1,1-o,
-o]))/Math.abs(i),[l,h]=n.ratios();n.endless&&([l,h]=[0,1/0]);let[u,c,p]=n.empty;p&&(l=kt(l,1)),u&&(h=Mt(h,1)),u&&c&&([l,h]=[0,0]),(n.unknown||c&&p)&&([l,h]=[NaN,
NaN]);let d={low:V(l),high:V(h)},g=Number.isNaN(o)?NaN:Mt(kt(o,l),h);return{value:V(g),stderr:V(a),...d,note:n.note}}var At=class{value;whole;stderr;reach;empty;unknown;endless;note;constructor(t,e,n){
let{sizes:r}=t,[i,o,a]=[yt(e,n,r),N(e,n),yt(n,e,r)],l=i.length&&a.length?we([...i,...a]):[],h=[i,o,a,e,n,l].map(c=>t.answer(c)),u=h.map(c=>t.reachOf(c));this.empty=
[i,o,a].map(c=>c.length===0),this.value=h.slice(0,3).map(c=>c.value),this.whole=h.slice(3,5).map(c=>c.value),this.unknown=u.some(Number.isNaN),this.endless=u.includes(
1/0),this.reach=u.map(c=>c===1/0?0:c),this.stderr=h.map((c,p)=>c.stderr??(u[p]===1/0?0:NaN)),this.note=h.map(c=>c.note??"").find(Boolean)??""}ratios(){let[t,e]=this.
accepted(c=>[1,1-c,-c]),[n,r]=this.accepted(c=>[c,c-1,-1]),[i,o]=[Mt(t,1/r),kt(e,1/n)],a=this.whole.map((c,p)=>Math.max(0,c-this.reach[3+p])),l=this.whole.map((c,p)=>Math.
max(0,c)+this.reach[3+p]),h=kt(i,l[1]>0?a[0]/l[1]:0),u=Mt(o,a[1]>0?l[0]/a[1]:1/0);return h<=u?[h,u]:[i,o]}accepted(t){return ke(e=>{let n=t(e);return this.value.
reduce((i,o,a)=>i+n[a]*Math.max(0,o),0)**2-Ie(this.reach,n)})}};function Ie([s,t,e,n,r,i],[o,a,l]){let h=(o*s)**2+(a*t)**2+(l*e)**2,u=[[o*a,n,s,t],[a*l,r,t,e],[
o*l,i,s,e]];for(let[c,p,d,g]of u){let b=Math.min(Math.max((p**2-d**2-g**2)/2,-d*g),d*g);h+=2*c*(c<0?Math.min(b,0):b)}return Math.max(h,0)}function Mt(s,t){return Number.
isNaN(s)||t<s?t:s}function kt(s,t){return Number.isNaN(s)||t>s?t:s}function V(s){return Number.isFinite(s)?s:null}var H=class{most;entries=new Map;constructor(t){this.most=Math.max(1,Math.floor(1048576/Math.max(1,t)))}of(t,e){let n=this.entries.get(t);if(n!==void 0)return n;
this.entries.size>=this.most&&this.forgetOldest();let r=e();return this.entries.set(t,r),r}forgetOldest(){let[t]=this.entries.keys();this.entries.delete(t)}};var ln=1e-12,hn=new Float64Array(0),G=class{constructor(t,e,n,r){this.lower=t;this.upper=e;this.which=n;this.mass=r;this.count=t.length,this.shares=new H(this.count),
this.touches=new H(this.count),this.prefix=vr(r??hn),this.start=new Float64Array(this.count),this.stop=new Float64Array(this.count),this.flat=new Uint8Array(this.
count).fill(r?0:1);for(let i=0;i<this.count;i+=1){if(r){if(this.start[i]=this.at(t[i]),this.stop[i]=this.at(e[i]),this.stop[i]>this.start[i])continue;this.flat[i]=
1}this.start[i]=t[i],this.stop[i]=e[i]}}lower;upper;which;mass;count;shares;touches;prefix;start;stop;flat;at(t){let e=this.mass??hn,n=Math.min(Math.floor(t),e.
length-1);return this.prefix[n]+(t-n)*e[n]}covered(t){return this.shares.of(t,()=>this.coverage(t))}coverage(t){let e=new Float64Array(this.count),n=this.rulers(
t);for(let r=0;r<this.count;r+=1)e[r]=this.ratio(r,n);return e}rulers(t){let e=this.mass&&un(t,n=>this.at(n));return{intervals:t,begins:t.map(([n])=>n),massive:e,
even:un(t,n=>n)}}ratio(t,{intervals:e,begins:n,massive:r,even:i}){if(e.length===0)return 0;let o=O(n,this.lower[t]);if(o>=0&&this.upper[t]<=e[o][1])return 1;let a=this.
flat[t]||r===null?i:r,l=cn(a,o,this.lower[t]),u=(cn(a,O(n,this.upper[t]),this.upper[t])-l)/(this.stop[t]-this.start[t]);return u>1-ln?1:u>ln?u:0}touched(t){return this.
touches.of(t,()=>this.touching(t))}touching(t){let e=new Uint8Array(this.count),n=t.map(([r])=>r);for(let r=0;r<this.count;r+=1){let i=O(n,this.lower[r]);i>=0&&
this.upper[r]<=t[i][1]?e[r]=2:(i>=0&&this.lower[r]<t[i][1]||i+1<n.length&&n[i+1]<this.upper[r])&&(e[r]=1)}return e}spread(t,e=null){let n=new Int32Array(this.count+
1),r=[],i=[],o=t.map(l=>this.rulers(e?k([l],e):[l])),a=t.map(([l])=>l);for(let l=0;l<this.count;l+=1){for(let h=Math.max(0,O(a,this.lower[l]));h<t.length&&!(t[h][0]>=
this.upper[l]);h+=1){let u=this.ratio(l,o[h]);u!==0&&(r.push(h),i.push(u))}n[l+1]=r.length}return{first:n,bin:Int32Array.from(r),share:Float64Array.from(i)}}};function vr(s){
let t=new Float64Array(s.length+1);for(let e=0;e<s.length;e+=1)t[e+1]=t[e]+s[e];return t}function un(s,t){let e=s.map(i=>t(i[0])),n=s.map(i=>t(i[1])),r=[0];for(let i=0;i<
e.length;i+=1)r.push(r[i]+(n[i]-e[i]));return{low:e,high:n,before:r,at:t}}function cn(s,t,e){return t<0?0:s.before[t]+(Math.min(s.at(e),s.high[t])-s.low[t])}function O(s,t){
let e=0,n=s.length;for(;e<n;){let r=e+n>>1;s[r]<=t?e=r+1:n=r}return e-1}var xr=2e4,It=100,Ar=[0,.001,.003,.01,.03,.1];function Et(s,t,e,n){let r=Tt(s.attributes[t],n[t]),i=pn(s,t,r,n);return e.map(o=>dn(r,i,o))}function*St(s,t,e,n){
let r=s.attributes[t],i=Tt(r,n[t]),o=pn(s,t,i,n),a=kr(o,e),l=[],h=[],u=k(n[t]??[[0,r.size]],[[0,r.count]]);for(let c of a){let p=i.codes[c],d=s.answer({...n,[t]:k(
u,[[0,p]])}),g=s.answer({...n,[t]:k(u,[[p,r.count]])});l.push(mn(d.low,g.high,0)),h.push(mn(d.high,g.low,1)),yield}return e.map(c=>Mr(i,o,c,a,l,h))}function Tt(s,t){
let e=[],n=[],r=[],i=Math.max(1,Math.ceil(s.count/xr));for(let[o,a]of k(t??[[0,s.size]],[[0,s.count]]))for(let l=Math.floor(o/i)*i;l<a;l+=i){let h=s.tickAt(Math.
max(o,l)),u=s.tickAt(Math.min(a,l+i,s.count))-s.step;e[e.length-1]===l?r[r.length-1]=u:(e.push(l),n.push(h),r.push(Math.max(h,u)))}return{codes:e,first:n,last:r,
each:i}}function pn(s,t,{codes:e,each:n},r){let{count:i}=s.attributes[t],o=e.map(a=>[a,Math.min(a+n,i)]);return s.grid([t],[o],r,{within:!0}).map(a=>Math.max(a,
0))}function dn({first:s,last:t},e,n){let r=e.reduce((o,a)=>o+a,0);if(!(r>0))return null;let i=0;for(let o=0;o<e.length;o+=1){if(e[o]>0&&i+e[o]>=n*r*(1-1e-12)){
let a=Math.min(1,Math.max(0,(n*r-i)/e[o]));return s[o]+a*(t[o]-s[o])}i+=e[o]}return t[t.length-1]}function Mr(s,t,e,n,r,i){let o=dn(s,t,e);if(o===null)return null;
if(r.includes(null)||i.includes(null))return{value:o,low:null,high:null};let a=t.length,l=p=>p===a?1:r[O(n,p)]??0,h=p=>p===0?0:i[O(n,p-1)+1]??1,u=0;for(;u<a-1&&
h(u+1)<e;)u+=1;let c=a-1;for(;c>0&&l(c)>=e;)c-=1;return{value:o,low:Math.min(o,s.first[u]),high:Math.max(o,s.last[c])}}function kr(s,t){let e=s.reduce((l,h)=>l+
h,0);if(s.length<=It||!(e>0))return Array.from({length:Math.max(0,Math.min(s.length,It)-1)},(l,h)=>h+1);let n=[],r=0;for(let l of s)r+=l,n.push(r/e);let a=[...Array.
from({length:It},(l,h)=>h/(It-1)),...t.flatMap(l=>Ar.flatMap(h=>[l-h,l+h]))].flatMap(l=>{let h=n.findIndex(u=>u>=l);return h<0?[]:[h,h+1]});return[...new Set(a)].
filter(l=>l>0&&l<s.length).sort((l,h)=>l-h)}function mn(s,t,e){return s===null||t===null?null:s+t===0?e:s/(s+t)}var Rt=50;function Ee(s,t,e){let n=s.attributes[t],r=[[0,n.count]],i=Tt(n,R(e.flatMap(u=>u[t]??r))),o=new Float64Array(i.codes.length),a=i.codes.map(u=>[u,Math.
min(u+i.each,n.count)]);for(let u of e){let c=s.grid([t],[a],u,{within:!0});for(let p=0;p<o.length;p+=1)o[p]+=c[p]}let l=0,h=0;for(let u=0;u<o.length;u+=1)o[u]=
Math.max(o[u],0),l+=o[u],h+=o[u]*((i.first[u]+i.last[u])/2);return{value:l>0?h/l:null,sum:l>0?h:null,total:l,mass:o,bins:i}}function*fn(s,t,e,{sum:n=!1}={}){let r=Ee(
s,t,e),i=n?r.sum:r.value;if(i===null||r.value===null)return{value:null,low:null,high:null};let o=yield*Ir(s,t,e,r);if(o===null)return{value:i,low:null,high:null};
let{low:a,high:l}=Er(r,o);if(!n)return{value:i,low:Math.min(i,a),high:Math.max(i,l)};let u=[Math.min(r.value,a),Math.max(r.value,l)].flatMap(c=>[c*o.count.low,c*
o.count.high]);return{value:i,low:Math.min(i,...u),high:Math.max(i,...u)}}function*Ir(s,t,e,{mass:n,total:r,bins:i}){let{count:o}=s.attributes[t],a=(g,b)=>{let w=e.
map(x=>({...x,[t]:k(x[t]??[[0,o]],[[g,b]])}));return s.answer(w.filter(x=>x[t].length))},l=a(0,o);if(l.low===null)return null;let h=Sr(n,r),u=[],c=[],p=0,d=0;for(let g of h){
for(;d<g;)p+=n[d++];let b=p<=r/2,w=i.codes[g],x=b?a(0,w):a(w,o);if(x.low===null)return null;let E=l.high>0?Math.min(x.low/l.high,1):0,I=l.low>0?Math.min(x.high/
l.low,1):1;u.push(b?E:1-I),c.push(b?I:1-E),yield}return{chosen:h,low:u,high:c,count:l}}function Er({mass:s,bins:t},{chosen:e,low:n,high:r}){let i=s.length,o=p=>p===
i?1:n[O(e,p)]??0,a=p=>p===0?0:r[O(e,p-1)+1]??1,l=0,h=0;for(let p=0;p<i;p+=1){let d=Math.max(h,a(p+1));l+=t.first[p]*(d-h),h=d}let u=0,c=o(i);for(let p=i-1;p>=0;p-=
1){let d=Math.min(c,o(p));u+=t.last[p]*(c-d),c=d}return{low:l,high:u}}function Sr(s,t){if(s.length<=Rt||!(t>0))return Array.from({length:Math.max(0,Math.min(s.length,
Rt)-1)},(i,o)=>o+1);let e=new Set,n=0,r=-1;for(let i=0;i<Rt;i+=1){let o=i/(Rt-1);for(;r<s.length&&(r<0||n/t<o);)r+=1,r<s.length&&(n+=s[r]);e.add(r).add(r+1)}return[
...e].filter(i=>i>0&&i<s.length).sort((i,o)=>i-o)}var Tr="COUNT(non-empty cells)";function Z(s){return s===Tr?"SUM(cells)":s}function Se({measure:s,text:t},e){if(s.kind==="share")return Nr(s,e);if("one"in s)return Or(
s,e);let n=gn({measure:s,text:t},e.engine);if(n)return Rr(e,n,t,s);if(s.of===null)throw new f(`${t} needs a dimension`);return Fr(e,s,B(s.of,e.engine),t)}function gn({
measure:s,text:t},e){let n=Z(e.facts.measure),r=lt(s.filter,e);if(t.toLowerCase()===n.toLowerCase())return r;let i=s.of&&B(s.of,e);if(n!=="COUNT(*)"||!i)throw new f(
`this view tells ${n}, not ${t}`);return s.kind==="count"?N(r,[{[i.axis]:[[0,i.missingCode]]}]):null}function Rr(s,t,e,{kind:n,of:r,filter:i}){let o=i===null&&!(n===
"count"&&r),a=l=>o?s.answer(l):s.engine.answer(N(s.parts(l),t));return{title:e,digits:0,value:l=>o?l.value:a(l).value,figure:l=>Y(()=>a(l))}}function Or({kind:s,
one:t,other:e,scale:n},r){let{engine:i}=r,[o,a]=[t,e].map(c=>gn(c,i));if(!o||!a)throw new f("only two totals can be compared, not means or sums of a dimension");
let l=s==="ratio"?an:on,h=c=>c===null?null:n*c,u=c=>{let p=r.parts(c),{value:d,low:g,high:b,note:w}=l(i,N(p,o),N(p,a));return{value:h(d),low:h(g),high:h(b),note:w}};
return{title:s,digits:s==="ratio"?4:0,value:c=>u(c).value,figure:c=>Y(()=>u(c))}}function Fr(s,{kind:t,filter:e},n,r){let{engine:i}=s;if(!n.ordered)throw new f(
`${n.name} has no order, so it has no ${t==="avg"?"mean":"sum"}`);if(n.isCalendar)throw new f(`${n.name} is a date; the table of quantiles tells of it, and ripo\
st query its mean`);let o=t==="sum",a=N(lt(e,i),[{[n.axis]:[[0,n.count]]}]),l=h=>N(s.parts(h),a);return{title:r,digits:2,value:h=>Ee(i,n.axis,l(h))[o?"sum":"val\
ue"],*figure(h){let u=i.note(l(h),[n.axis]);return{...yield*fn(i,n.axis,l(h),{sum:o}),note:u}}}}function Nr({of:s,whole:t,within:e,scale:n,written:r},i){let o=Z(
i.engine.facts.measure);if(r==="OVER"){let c=t==="count"?"COUNT(*)":`SUM(${s?.text})`;if(t==="count"&&s||c.toLowerCase()!==o.toLowerCase())throw new f(`a share \
is of ${o} here, or ask SHARE(*)`);if(i.filtered)throw new f("a share by OVER counts what HAVING leaves; ask SHARE(*), which does not")}let a=e.map(c=>i.place(c,
"PARTITION BY")),l=new Map,h=c=>{let p=a.map(g=>c.bins[g][0]).join(" "),d=l.get(p)??i.engine.answer(i.parts(c,a));return l.set(p,d),d},u=c=>{let[p,d]=[i.answer(
c),h(c)],g=d.value?n*p.value/d.value:null,{note:b}=p;if(p.low===null||d.low===null)return{value:g,low:null,high:null,note:b};let[w,x]=i.engine.shareBounds(p,d);
return{value:g,low:n*w,high:n*x,note:b}};return{title:"SHARE(*)",digits:4,value:c=>h(c).value?n*c.value/h(c).value:null,figure:c=>Y(()=>u(c))}}var Re="ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*)";function bn(s){if("name"in s||"measure"in s)return s;
if("number"in s)return Cr(s.number);let{factor:t,inner:e}=ht(s);if("measure"in e&&e.measure)return $r(e,t);if(!("sign"in e))throw new f(`cannot answer this by i\
tself; ${Re}`);return e.sign==="/"&&"whole"in e.right?Lr(t,e.left,e.right):Br(t,e)}function Cr(s){if(!Number.isInteger(s))throw new f("a place in the list needs\
 a whole number");return{number:s}}function ht(s){if(!("sign"in s)||s.sign!=="*")return{factor:1,inner:s};for(let[t,e]of[[s.left,s.right],[s.right,s.left]]){if(!("\
number"in t)||t.number===void 0)continue;let{factor:n,inner:r}=ht(e);return{factor:n*t.number,inner:r}}return{factor:1,inner:s}}function $r({measure:s,text:t},e){
if(s.kind==="share")return{measure:{...s,scale:s.scale*e},text:t};throw new f(`only a share, a difference or a ratio can be multiplied; ${Re}`)}function Lr(s,t,{
whole:e,within:n}){let{factor:r,inner:i}=ht(t),o=Te(i),a=o?.measure.filter===null&&"text"in e&&e.text===o.text;if(!o||!a||o.measure.kind==="avg")throw new f("on\
ly a total can be divided by its sum OVER (), as in COUNT(*) / SUM(COUNT(*)) OVER (); or ask SHARE(*)");let{kind:l,of:h}=o.measure;return{measure:{kind:"share",
of:h,whole:l,within:n,scale:s*r,written:"OVER"},text:"share"}}function Br(s,{sign:t,left:e,right:n}){let r=t==="/",[i,o]=[ht(e),ht(r&&"nullIfZero"in n?n.nullIfZero:
n)],[a,l]=[Te(i.inner),Te(o.inner)],h=r?o.factor!==0:i.factor===o.factor,u=a&&l&&a.measure.kind!=="avg"&&l.measure.kind!=="avg";if(t==="*"||!h||!u)throw new f(`\
cannot answer this; ${Re}`);let c=r?"ratio":"difference",p=s*(r?i.factor/o.factor:i.factor);return{measure:{kind:c,one:a,other:l,scale:p},text:c}}function Te(s){
if(!("measure"in s)||!s.measure)return null;let{measure:t,text:e}=s;return"filter"in t?{measure:t,text:e}:null}var Ot=new RegExp([/(?<space>\s+|--[^\n]*)/.source,/(?<text>'(?:[^']|'')*')/.source,/(?<quoted>"(?:[^"]|"")*")/.source,/(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.
source,/(?<word>[\p{L}_][\p{L}\p{N}_$]*)/u.source,/(?<sign><=|>=|<>|!=|[-+*/%=<>(),.;])/.source].join("|"),"uy"),wn=5e4;function yn(s){if(s.length>wn)throw new f(
`the question is too long: ${s.length} characters, at most ${wn}`);let t=[];for(Ot.lastIndex=0;Ot.lastIndex<s.length;){let e=Ot.lastIndex,n=Ot.exec(s),r=Object.
entries(n?.groups??{}).find(([,l])=>l!==void 0);if(!r)throw new f(`cannot read the question from ${C(s.slice(e))} on`);let[i,o]=r;if(i==="space")continue;let a=i===
"text"||i==="quoted"?Hr(o):o;t.push({kind:i,text:a,upper:i==="word"?o.toUpperCase():i==="sign"?o:""})}return[...t,{kind:"end",text:"the end",upper:""}]}function C(s){
let t=s.replace(/\s+/g," ");return`"${t.length>40?`${t.slice(0,39)}…`:t}"`}function Hr(s){let t=s[0];return s.slice(1,-1).replaceAll(t+t,t)}var U="what can be asked: SELECT dimensions, COUNT(*), SHARE(*), COUNT, AVG or SUM of a dimension, each perhaps with FILTER (WHERE …), and the difference or the\
 ratio of two totals FROM view WHERE conditions (AND, OR, NOT, =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL) GROUP BY dimensions HAVING … ORDER BY … LIMIT …",
Oe="ripost query and view.sql can answer it",Ur=200,vn=["=","<>","!=","<","<=",">",">="],Pr="SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET BY AND OR NOT AS \
JOIN OVER PARTITION FILTER UNION".split(" "),Ft=class{constructor(t){this.tokens=t}tokens;at=0;depth=0;enter(){if(this.depth+=1,this.depth>Ur)throw new f("the q\
uestion is nested too deeply")}isValue(){let t=this.peek(),e=this.tokens[this.at+1];return t.kind==="number"?!["*","/"].includes(e.upper):t.kind==="text"||["-",
"+"].includes(t.upper)?!0:this.isTyped()||["TRUE","FALSE"].includes(t.upper)&&vn.includes(e.text)}isTyped(){return["DATE","TIMESTAMP"].includes(this.peek().upper)&&
this.tokens[this.at+1].kind==="text"}value(){this.isTyped()&&this.next();let t=this.take("-")?"-":"";t||this.take("+");let e=this.next();if(e.kind==="number"||e.
kind==="text"&&!t)return t+e.text;if(["TRUE","FALSE"].includes(e.upper)&&!t)return e.text.toLowerCase();throw e.upper==="NULL"?new f("nothing equals NULL; ask I\
S NULL or IS NOT NULL"):new f(`expected a value and found ${C(e.text)}; put text in single quotes, as in 'JFK'`)}sign(){let t=this.next();if(!vn.includes(t.text))
throw new f(`cannot read ${C(t.text)} as a comparison; ${U}`);return t.text}name(t){let e=this.next();if(!(e.kind==="quoted"||e.kind==="word"&&!Pr.includes(e.upper)))
throw new f(`expected ${t} and found ${C(e.text)}; ${U}`);return{text:e.text,quoted:e.kind==="quoted"}}whole(t){let e=this.next();if(e.kind!=="number"||!/^\d{1,9}$/.
test(e.text))throw new f(`${t} needs a whole number`);return Number(e.text)}list(t){let e=[t()];for(;this.take(",");)e.push(t());return e}peek(){return this.tokens[this.
at]}next(){let t=this.tokens[this.at];return t.kind!=="end"&&(this.at+=1),t}take(t){return this.peek().upper!==t?!1:(this.at+=1,!0)}takeBoth(t,e){return this.take(
t)?(this.expect(e),!0):!1}expect(t){if(!this.take(t))throw new f(`expected ${t} and found ${C(this.peek().text)}; ${U}`)}refuse(t){throw new f(`${C(t)} is not k\
nown here; ${U}`)}defer(t){throw new f(`${t} is not known here; ${Oe}`)}};var jr={"<":">","<=":">=",">":"<",">=":"<="},Gr=["AND","OR",")","GROUP","HAVING","ORDER","LIMIT","OFFSET",";",""],Nt=class extends Ft{where(){return this.either(
()=>this.condition())}either(t){let e=[this.both(t)];for(;this.take("OR");)e.push(this.both(t));return e.length===1?e[0]:{kind:"or",parts:e}}both(t){let e=[this.
negation(t)];for(;this.take("AND");)e.push(this.negation(t));return e.length===1?e[0]:{kind:"and",parts:e}}negation(t){this.enter();let e;return this.take("NOT")?
e={kind:"not",part:this.negation(t)}:this.take("(")?(e=this.either(t),this.expect(")")):e=t(),this.depth-=1,e}condition(){if(this.isValue()){let n=this.value(),
r=this.sign();return{kind:"compare",sign:jr[r]??r,name:this.name("a dimension"),value:n}}let t=this.term(),{name:e}=t;if(!e)throw new f(`WHERE takes dimensions;\
 put ${C(t.measure?t.text:String(t.number))} into HAVING`);return Gr.includes(this.peek().upper)?{kind:"compare",sign:"=",name:e,value:"true",alone:!0}:this.tested(
()=>this.value(),n=>({name:e,...n}))}comparison(){let t=()=>this.isValue()?{value:this.value()}:this.term(),e=t();return this.tested(t,n=>({left:e,...n}))}tested(t,e){
if(this.take("IS")){let r=this.take("NOT");return this.expect("NULL"),Fe(r,e({kind:"null"}))}let n=this.take("NOT");if(this.take("BETWEEN")){let r=t();return this.
expect("AND"),Fe(n,e({kind:"between",low:r,high:t()}))}if(this.take("IN")){this.expect("(");let r=this.list(t);return this.expect(")"),Fe(n,e({kind:"in",values:r}))}
if(n)throw new f(`after NOT comes BETWEEN or IN; ${U}`);return e({kind:"compare",sign:this.sign(),value:t()})}};function Fe(s,t){return s?{kind:"not",part:t}:t}var qr=["MEDIAN","QUANTILE","QUANTILE_CONT","QUANTILE_DISC","PERCENTILE_CONT","APPROX_QUANTILE"],_r=["ROLLUP","CUBE","GROUPING"],Dr=["WIDTH","FLOOR","EXTRACT","\
DATE_TRUNC","DATE_PART","YEAR","QUARTER","MONTH","WEEK","DAY","HOUR"],Ct=class extends Nt{term(){return bn(this.difference())}difference(){this.enter();let t=this.
product();for(;this.take("-");)t={sign:"-",left:t,right:this.product()};return this.depth-=1,t}product(){let t=this.factor();for(;["*","/"].includes(this.peek().
upper);)t={sign:this.next().upper,left:t,right:this.factor()};return t}factor(){let t=this.peek();if(t.kind==="number")return{number:Number(this.next().text)};if(this.
take("(")){let n=this.difference();return this.expect(")"),n}if(t.upper==="*")throw new f("SELECT * has no rows to show here: ask for COUNT(*)");let e=this.name(
"a dimension or COUNT(*)");return this.take("(")?this.called(e):{name:e}}called({text:t}){let e=t.toUpperCase();if(e==="CAST"||e==="NULLIF")return this.wrapped(
e);if(e==="SHARE")return this.shareOf();if(qr.includes(e))throw new f(`${t}() is not known here; the table of quantiles tells it`);if((_r.includes(e)||Dr.includes(
e))&&this.defer(`${t}()`),!["COUNT","SUM","AVG","MEAN"].includes(e))throw new f(`${t}() is not known here; ${U}`);if(e==="SUM"&&this.tokens[this.at+1].text==="(")
return this.summedOver();if(e==="COUNT"&&this.take("*"))return this.expect(")"),this.filtered("count",null,"COUNT(*)");if(this.peek().upper==="DISTINCT")throw new f(
"the view holds no distinct values; ask COUNT(*), or group by the dimension");let n=this.name("a dimension");this.expect(")");let r=e==="COUNT"?"count":e==="SUM"?
"sum":"avg";return this.filtered(r,n,`${r.toUpperCase()}(${n.text})`)}wrapped(t){let e=this.difference();if(t==="CAST")return this.expect("AS"),this.name("a typ\
e"),this.expect(")"),e;if(this.expect(","),this.next().text!=="0")throw new f(`NULLIF is known with 0 alone; ${U}`);return this.expect(")"),{nullIfZero:e}}filtered(t,e,n){
if(!this.take("FILTER"))return{measure:{kind:t,of:e,filter:null},text:n};this.expect("("),this.expect("WHERE");let r=this.where();return this.expect(")"),{measure:{
kind:t,of:e,filter:r},text:n}}shareOf(){if(this.take("*"),this.expect(")"),this.peek().upper==="FILTER")throw new f("SHARE takes no FILTER; ask COUNT(*) FILTER \
(WHERE …) / COUNT(*)");return{measure:{kind:"share",of:null,whole:"",within:this.take("OVER")?this.window():[],scale:1,written:"SHARE"},text:"SHARE(*)"}}summedOver(){
let t=this.term();return this.expect(")"),this.expect("OVER"),{whole:t,within:this.window()}}window(){this.expect("(");let t=this.takeBoth("PARTITION","BY")?this.
list(()=>this.term()):[];if(this.peek().upper==="ORDER")throw new f(`a share is OVER () or OVER (PARTITION BY …), without ORDER BY; ${Oe}`);return this.expect(
")"),t}};function xn(s){return new Ne(yn(s)).query()}var Ne=class extends Ct{query(){this.expect("SELECT"),this.peek().upper==="DISTINCT"&&this.refuse("DISTINCT");let t=this.
list(()=>this.item());this.expect("FROM");let e=this.name("the table, which is called view");if(e.text.toLowerCase()!=="view")throw new f(`there is one table he\
re, view; not ${C(e.text)}`);let n=this.take("(");n&&(this.expect("SIMULTANEOUS"),this.expect(")")),this.peek().kind==="sign"&&this.peek().text===","&&this.refuse(
"more than one table");let r=this.take("WHERE")?this.where():null,i=this.takeBoth("GROUP","BY")?this.list(()=>this.term()):[],o=this.take("HAVING")?this.either(
()=>this.comparison()):null,a=this.takeBoth("ORDER","BY")?this.list(()=>this.ordering()):[],l=this.take("LIMIT")?this.whole("LIMIT"):null,h=this.take("OFFSET")?
this.whole("OFFSET"):0;return this.take(";"),this.peek().kind!=="end"&&this.refuse(this.peek().text),{items:t,where:r,group:i,having:o,order:a,limit:l,offset:h,
simultaneous:n}}item(){let t=this.term(),e=this.peek(),n=this.take("AS")||e.kind==="quoted"||e.kind==="word"&&e.upper!=="FROM";return{...t,alias:n?this.name("a \
name after AS").text:null}}ordering(){let t=this.term(),e=this.take("DESC");e||this.take("ASC");let n=!1;return this.take("NULLS")&&(n=this.take("FIRST"),n||this.
expect("LAST")),{...t,down:e,nullsFirst:n}}};var J=class{constructor(t,e,n,r=!1){this.engine=t;this.boxes=e;this.group=n;this.filtered=r}engine;boxes;group;filtered;parts(t,e=this.group.map((n,r)=>r)){return this.
boxes.map(r=>{let i={...r};for(let o of e){let{axis:a}=this.group[o];i[a]=bt(t.bins[o],i[a])}return i}).filter(r=>e.every(i=>r[this.group[i].axis].length))}answer(t){
return t.answer??=this.engine.answer(this.parts(t),t.value),t.answer}place(t,e){let n=t.name?this.group.indexOf(B(t.name,this.engine)):-1;if(n<0)throw new f(`${e}\
 takes what stands in GROUP BY`);return n}};function An(s,[t]){return t>=s.count?s.other&&t===s.count?1/0:null:s.ordered?s.edge(t):s.names[t]}function Mn(s,t){if(!s.
ordered)return t;let e=s.parse(t);if(e===null)throw new f(`${s.name}: cannot read '${t}' as ${s.type}`);return e}function $t(s,t,{simultaneous:e=!1}={}){let n=xn(t),r=s.jointly(1),i=n.items.map(d=>({...d,attribute:d.name?B(d.name,r):null})),o=zr(n.group,i,r),a=lt(n.where,r),
l=new J(r,a,o,n.having!==null),h=i.map(d=>Kr(d,l));if(!h.some(d=>d.measure))throw new f(`list ${Z(r.facts.measure)} too: a view holds totals, not rows`);let u=d=>Wr(
d,h,l),c=Xr(l);(e||n.simultaneous)&&(r.together=c.length*Vr(n.items)),n.having&&(c=rn(n.having,c,u)),Jr(c,n.order,u);let p=n.limit===null?c.length:n.offset+n.limit;
return{columns:h.map(d=>d.column),rows:c.slice(n.offset,p)}}function Vr(s){return new Set(s.flatMap(t=>t.measure?[Ce(t.measure,t.text)]:[])).size}function Ce(s,t){
return JSON.stringify([t,s])}function zr(s,t,e){let n=s.map(r=>{let i=En(r,t),o=i?i.attribute:r.name&&B(r.name,e);if(!o)throw new f("GROUP BY takes dimensions");
return o});return[...new Set(n)]}function Kr(s,t){let{alias:e,attribute:n}=s;if(s.measure){let i=In(Se(s,t));return{alias:e,attribute:n,asked:s,measure:i,column:{
...i,name:e??i.title}}}if(!n)throw new f("SELECT takes dimensions and measures, not numbers");let r=t.group.indexOf(n);if(r<0)throw new f(`${n.name} must be in \
GROUP BY to be listed`);return{alias:e,attribute:n,asked:null,measure:null,column:$e(e??n.name,r)}}function $e(s,t){return{name:s,text:e=>e.labels[t],key:e=>e.bins[t][0]}}
function In(s){let t=new Map,e=new Map;return{...s,value(n){let r=t.get(n),i=r===void 0?s.value(n):r;return t.set(n,i),i},*figure(n){let r=e.get(n)??(yield*s.figure(
n));return e.set(n,r),r}}}function Wr(s,t,e){let n=En(s,t),r=n?.measure??(s.measure&&Qr(s,t,e));if(r)return{get:l=>r.value(l),read:kn};let i=!n&&s.name?Yr(s,t):
null;if(i)return{get:l=>j(i.measure.figure(l))[i.end],read:kn};let o=n?n.attribute:s.name&&B(s.name,e.engine);if(!o)throw new f("only what can be listed can be \
compared or ordered by");let a=e.group.indexOf(o);if(a<0)throw new f(`${o.name} must be in GROUP BY to be compared or ordered by`);return{get:l=>An(o,l.bins[a]),
read:l=>Mn(o,l)}}function Qr(s,t,e){let n=Ce(s.measure,s.text);return t.find(({asked:i})=>i&&Ce(i.measure,i.text)===n)?.measure??In(Se(s,e))}function Yr({name:s},t){
for(let{alias:e,measure:n}of t)for(let r of["low","high"])if(n&&e&&`${e}_${r}`.toLowerCase()===s.text.toLowerCase())return{measure:n,end:r};return null}function kn(s){
let t=Number(s);if(s.trim()===""||!Number.isFinite(t))throw new f(`a measure is compared with a number, not '${s}'`);return t}function En(s,t){if(s.number!==void 0)
return Zr(s,t);let{name:e}=s;return e?t.find(n=>n.alias?.toLowerCase()===e.text.toLowerCase()):void 0}function Zr({number:s},t){let e=t[s-1];if(!e)throw new f(`\
there is no item ${s} in the list`);return e}function Jr(s,t,e){let n=t.map(o=>({...o,get:e(o).get})),r=o=>+(o===null),i=({get:o,down:a,nullsFirst:l},h,u)=>{let[
c,p]=[o(h),o(u)];return c===null||p===null?(r(c)-r(p))*(l?-1:1):(c<p?-1:+(c>p))*(a?-1:1)};s.sort((o,a)=>n.reduce((l,h)=>l||i(h,o,a),0))}function Xr({engine:s,boxes:t,
group:e}){let n=e.map(r=>r.axis);return t.length?vt(s,t,n,e.map(ts)):n.length?[]:[{labels:[],bins:[],value:0,answer:null}]}function ts(s){if(s.size>xe)throw new f(
`${s.name} has ${s.size.toLocaleString("en-US")} values, too many to group by`);return Array.from({length:s.size},(t,e)=>[e,e+1])}var es="http://www.w3.org/2000/svg";function m(s,t={},...e){return Tn(document.createElement(s),t,e)}function y(s,t={},...e){return Tn(document.createElementNS(
es,s),t,e)}function M(s,t){for(let[e,n]of Object.entries(t))n===null||n===!1?s.removeAttribute(e):s.getAttribute(e)!==String(n)&&s.setAttribute(e,n===!0?"":String(
n))}var Sn=0;function S(s){return Sn+=1,`${s}-${Sn}`}function Tn(s,t,e){for(let[n,r]of Object.entries(t))typeof r=="function"?s.addEventListener(n.slice(2),r):r!==
null&&r!==!1&&r!==void 0&&s.setAttribute(n,r===!0?"":String(r));for(let n of e)n!=null&&s.append(typeof n=="number"?String(n):n);return s}function q(s,t,e,n){let r=n*Math.sqrt(t+e);return Number.isFinite(r)?Le({value:s,stderr:Math.sqrt(t)},r):{...Be(s),reach:r}}function Le(s,t){let{value:e}=s;return{
...s,reach:t,low:Math.max(0,e-t),high:Math.max(0,e)+t}}function Rn(s){return Math.log(s/.05)/Math.log(1/.05)}function On(s){let t=e=>Math.log((1-e)/e);return t(
.05/s)/t(.05)}function Fn(s,t){let e=s.stderr>0?t-(s.high-s.low):0;if(!(e>0))return s;let n=Math.max(s.low-e/2,0);return{...s,low:n,high:Math.max(s.high+e/2,n+t)}}
function Be(s){return{value:s,stderr:null,low:null,high:null,reach:NaN}}var ns=Array.from({length:10},(s,t)=>new Intl.NumberFormat("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})),rs=new Intl.NumberFormat("en-US",{notation:"\
compact",maximumSignificantDigits:3});function v(s,t=0){let e=ns[t].format(s);return/[1-9]/.test(e)?e:e.replace("-","")}function Lt({value:s,stderr:t,low:e,high:n}){
if(e===null)return 0;let r=Math.max(t??0,n===null?0:(n-e)/2/2.12);return r===0?Number.isInteger(s)?0:3:Math.min(9,Math.max(0,1-Math.floor(Math.log10(r))))}function ut(s){
return v(s.value,Lt(s))}function Bt(s){if(s.low===null)return"error unknown";let t=Lt(s);return`${v(s.low,t)} to ${v(s.high,t)}`}function tt(s){return s.low===null?
`${ut(s)} (error unknown)`:`${ut(s)} (95 %: ${Bt(s)})`}function et(s){return rs.format(s).replace("K","k")}function Nn(s,t){if(!(s>0))return[0];let e=s/t,n=10**
Math.floor(Math.log10(e)),r=([1,2,5].find(o=>o*n>=e)??10)*n,i=[];for(let o=0;o*r<=s*1.0001;o+=1)i.push(o*r);return i}function Cn(s,t){return s.length<=t?s:`${s.
slice(0,Math.max(1,t-1))}…`}var $n=10,Ht=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.choose=n;this.ends=["low","high"].map((r,i)=>this.grip(r,i)),this.element=y("g",{class:"\
brushing"},this.area,this.chosen,...this.ends.map(({element:r})=>r)),this.element.addEventListener("pointerdown",r=>this.press(r)),this.element.addEventListener(
"pointermove",r=>this.drag(r));for(let r of["pointerup","pointercancel"])this.element.addEventListener(r,()=>this.release())}attribute;bins;choose;element;tint=y(
"rect",{class:"tint",visibility:"hidden"});range=null;held=null;area=y("rect",{class:"brush-area"});chosen=y("rect",{class:"brush",visibility:"hidden"});ends;x=()=>0;top=0;bottom=0;grip(t,e){
let n=y("line"),r=y("rect",{rx:3,width:6,height:22,x:-3}),i={class:"grip",tabindex:0,role:"slider","aria-label":`${this.attribute.title}, ${t} end of the range`,
onkeydown:o=>this.key(o,e)};return{element:y("g",i,n,r),line:n,handle:r}}place(t,e,n){Object.assign(this,{x:t,top:e,bottom:n});let r=this.bins[this.bins.length-
1][1];M(this.area,{x:t(0),width:t(r)-t(0),y:e,height:n-e})}draw(t){this.range=t;let e=this.bins[this.bins.length-1][1],[n,r]=t??[0,e],[i,o]=[this.x(n),this.x(r)],
a={x:i,width:Math.max(1,o-i),y:this.top,height:this.bottom-this.top};for(let l of[this.tint,this.chosen])M(l,{...a,visibility:t?"visible":"hidden"});this.ends.forEach(
({element:l,line:h,handle:u},c)=>{M(l,{transform:`translate(${c===0?i:o} 0)`,class:t?"grip held":"grip","aria-valuemin":0,"aria-valuemax":e,"aria-valuenow":c===
0?n:r,"aria-valuetext":this.say(c===0?n:r,c)}),M(h,{y1:this.top,y2:this.bottom}),M(u,{y:(this.top+this.bottom)/2-11})})}say(t,e){let n=this.attribute.tickAt(t);
return this.attribute.text(e===0?n:n-this.attribute.step)}barAt(t){let e=t.clientX-(this.area.ownerSVGElement?.getBoundingClientRect().left??0),n=this.bins.findIndex(
([,r])=>e<this.x(r));return n<0?this.bins.length-1:n}press(t){if(t.button!==0)return;let{target:e}=t,n=this.ends.findIndex(({element:i})=>e instanceof Node&&i.contains(
e)),r=this.range!==null&&e===this.chosen;this.held={grip:n,bar:this.barAt(t),moved:!1,moving:r,span:this.barsOf(this.range)},this.element.setPointerCapture(t.pointerId),
t.preventDefault()}drag(t){if(!this.held)return;let{grip:e,bar:n,moving:r,span:i}=this.held,o=this.barAt(t);if(!(o===n&&!this.held.moved))if(this.held.moved=!0,
e>=0&&i){let a=e===0?i[1]:i[0];this.chooseBars(Math.min(a,o),Math.max(a,o))}else if(r&&i){let a=Math.max(-i[0],Math.min(this.bins.length-1-i[1],o-n));this.chooseBars(
i[0]+a,i[1]+a)}else this.chooseBars(Math.min(n,o),Math.max(n,o))}release(){let{held:t}=this;if(this.held=null,!t||t.moved||t.grip>=0)return;t.span&&t.span[0]===
t.bar&&t.span[1]===t.bar?this.pick(null):this.chooseBars(t.bar,t.bar)}key(t,e){let n=this.bins.length-1,r=this.barsOf(this.range)??[0,n],i={ArrowLeft:-1,ArrowDown:-1,
ArrowRight:1,ArrowUp:1,PageDown:-$n,PageUp:$n,Home:-n,End:n};if(t.key==="Escape"||t.key==="Delete")this.pick(null);else if(t.key in i){let o=e===0?[0,r[1]]:[r[0],
n];r[e]=Math.max(o[0],Math.min(o[1],r[e]+i[t.key])),this.chooseBars(...r)}else return;t.preventDefault()}barsOf(t){if(!t)return null;let e=this.bins.findIndex(([
,r])=>r>t[0]),n=this.bins.findLastIndex(([r])=>r<t[1]);return[e,n]}chooseBars(t,e){let n=t===0&&e===this.bins.length-1;this.pick(n&&!this.held?null:[this.bins[t][0],
this.bins[e][1]])}pick(t){this.range=t,this.choose(t)}};var ct=150,$={left:44,right:10,top:8,bottom:22},Ln=6.6,ss=[1,2,5,10,20,25,50,100],Ut=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.bars=e.map(()=>y(
"rect",{class:"column"})),this.brush=new Ht(t,e,n),this.picture=y("svg",{class:"histogram",height:ct,role:"group","aria-label":`Histogram of ${t.title}`},this.axis,
this.brush.tint,y("g",{"aria-hidden":"true"},...this.bars),this.band,this.brush.element),this.picture.addEventListener("pointermove",r=>this.tell(r)),this.picture.
addEventListener("pointerleave",()=>{this.told.textContent=this.summary}),this.element=m("div",{class:"plot"},this.picture,this.told)}attribute;bins;element;bars;band=y(
"path",{class:"band"});axis=y("g",{class:"axis","aria-hidden":"true"});told=m("p",{class:"told","aria-hidden":"true"});brush;picture;summary="";width=0;top=1;values=null;answers=null;range=null;filtered=!1;resize(){
let t=Math.max(160,Math.floor(this.element.clientWidth));t!==this.width&&(this.width=t,M(this.picture,{width:t,viewBox:`0 0 ${t} ${ct}`}),this.brush.place(e=>this.
x(e),$.top,ct-$.bottom),this.values&&this.paint(this.values))}x(t){let e=this.bins[0][1]-this.bins[0][0],n=this.bins[this.bins.length-1],r=t>=n[0]?this.bins.length-
1+(t-n[0])/(n[1]-n[0]):t/e;return $.left+r/this.bins.length*(this.width-$.left-$.right)}draw(t,e,n){Object.assign(this,{values:t,range:e,filtered:n,answers:null}),
this.width||this.resize(),this.paint(t)}summarize(t){this.told.textContent===this.summary&&(this.told.textContent=t),this.summary=t}drawErrors(t){this.answers=t,
this.values&&this.paint(this.values)}paint(t){let e=Math.max(...t,0),n=this.answers?Math.max(...this.answers.map(a=>a.high??0)):0;this.top=Math.max(e*1.06,Math.
min(n,e*1.6))||1;let r=this.y(0),i=this.bins.length>60?.5:1;this.bins.forEach(([a,l],h)=>{let u=this.y(Math.max(t[h],0)),c=!this.filtered||this.range&&a<this.range[1]&&
l>this.range[0];M(this.bars[h],{x:this.x(a)+i/2,width:Math.max(.5,this.x(l)-this.x(a)-i),y:u,height:Math.max(0,r-u),class:c?"column":"column out"})}),this.paintBand(),
this.paintAxis(),this.brush.draw(this.range);let o=t.indexOf(e);if(o>=0){let a=this.attribute.describeBin(this.bins[o]);M(this.picture,{"aria-label":`Histogram \
of ${this.attribute.title}; the largest bar is ${a} with ${v(e)}`})}}paintBand(){let t=this.answers?.filter(r=>r.low!==null)??[];if(t.length<this.bins.length){M(
this.band,{d:null});return}let e=this.bins.map(([r,i],o)=>`${this.x(r)},${this.y(t[o].high)} ${this.x(i)},${this.y(t[o].high)}`),n=this.bins.map(([r,i],o)=>`${this.
x(i)},${this.y(t[o].low)} ${this.x(r)},${this.y(t[o].low)}`);M(this.band,{d:`M${e.join(" ")} ${n.reverse().join(" ")}Z`})}paintAxis(){let t=Nn(this.top,3).map(e=>y(
"g",{},y("line",{x1:$.left,x2:this.width-$.right,y1:this.y(e),y2:this.y(e)}),y("text",{x:$.left-6,y:this.y(e)+4,"text-anchor":"end"},et(e))));for(let[e,n]of this.
marks())t.push(y("text",{x:e,y:ct-6,"text-anchor":"middle"},n));this.axis.replaceChildren(...t)}marks(){let{attribute:t,bins:e,width:n}=this,r=e.map(([c])=>t.brief(
t.tickAt(c))),i=Math.max(...r.map(c=>c.length))*Ln+10,o=ss.find(c=>c*(this.x(e[0][1])-this.x(0))>=i)??e.length,a=e[0][1]-e[0][0],l=c=>t.bins.width?t.edge(c)/t.bins.
width/a:NaN,h=e.findIndex(([c])=>l(c)%o===0),u=[];for(let c=Math.max(h,0);c<e.length;c+=o){let[p,d]=e[c],b=d-p===1&&t.step>0?(this.x(p)+this.x(d))/2:this.x(p),w=r[c].
length*Ln/2;b-w>=0&&b+w<=n&&u.push([b,r[c]])}return u}tell(t){let e=t.clientX-this.picture.getBoundingClientRect().left,n=this.bins.findIndex(([i,o])=>e>=this.x(
i)&&e<this.x(o));if(n<0||!this.values){this.told.textContent=this.summary;return}let r=this.answers?tt(this.answers[n]):v(this.values[n]);this.told.textContent=
`${this.attribute.describeBin(this.bins[n])}: ${r}`}y(t){let e=ct-$.top-$.bottom;return $.top+e*(1-Math.min(t/this.top,1))}};var is=24,Pt=class{element;lines;top=0;constructor(t,e,n){this.lines=e.map(([o])=>{let a=m("input",{type:"checkbox",onchange:()=>n(this.chosen())}),l=m("span",{
class:"bar-fill"}),h=m("span",{class:"whisker",hidden:!0}),u=m("span",{class:"total"}),c=t.describe(o),p=m("label",{title:c},a,m("span",{class:o>=t.count?"name \
special":"name"},c===""?"(empty)":c),m("span",{class:"track","aria-hidden":"true"},l,h),u);return{code:o,box:a,bar:l,whisker:h,total:u,label:p,item:m("li",{},p)}});
let r=m("ul",{class:"named"},...this.lines.map(({item:o})=>o)),i=m("input",{type:"search",class:"find",placeholder:"Find a name","aria-label":`Find a name of ${t.
title}`,oninput:()=>this.find(i.value)});this.element=e.length>is?m("div",{},i,r):r}find(t){let e=t.trim().toLowerCase();for(let{label:n,item:r}of this.lines)r.
hidden=!n.title.toLowerCase().includes(e)}chosen(){return this.lines.filter(({box:t})=>t.checked).map(({code:t})=>t)}draw(t,e,n,r){let i=new Set(e);this.top=Math.
max(r,0),this.lines.forEach(({code:o,box:a,bar:l,whisker:h,total:u,label:c},p)=>{a.checked=i.has(o),c.classList.toggle("out",n&&!i.has(o)),l.style.width=`${this.
percent(t[p])}%`,h.hidden=!0,u.textContent=et(Math.round(t[p])+0)})}drawErrors(t){this.lines.forEach(({whisker:e,total:n},r)=>{let i=t[r];n.title=i?tt(i):"",!(!i||
i.low===null)&&(e.hidden=!1,e.style.left=`${this.percent(i.low)}%`,e.style.width=`${this.percent(i.high)-this.percent(i.low)}%`)})}percent(t){return this.top>0?
Math.min(100,Math.max(0,100*t/this.top/1.08)):0}};var He="†",_=class{summary=m("summary",{},He);words=m("span",{class:"note"});element=m("details",{class:"mark",hidden:!0},this.summary,this.words);draw(t){this.
element.hidden=t==="",this.words.textContent=t,M(this.summary,{title:t,"aria-label":`Note: ${t}`})}};function jt(s){return m("abbr",{class:"mark",title:s},He)}var nt=class{element=m(
"p",{class:"note foot",hidden:!0});draw(t){this.element.hidden=t==="",this.element.textContent=t&&`${He} ${t}`}};var Gt=class{constructor(t){this.store=t;let e=S("quantiles");this.input=m("input",{type:"text",inputmode:"decimal",onchange:()=>this.read()}),this.element=m("s\
ection",{class:"panel",id:"quantiles","aria-labelledby":e},m("header",{},m("h2",{id:e},"Quantiles"),m("label",{class:"chooser"},m("span",{},"Percent below"),this.
input)),this.problem,m("div",{class:"scroll",tabindex:0,role:"region","aria-label":"Quantiles"},m("table",{},m("caption",{class:"unseen"},"Quantiles of what is \
selected"),m("thead",{},this.head),this.body)),m("p",{class:"note"},"In brackets what the 95 % intervals of the totals below and above allow. Missing and other \
values are left out."),this.foot.element)}store;element;input;problem=m("p",{class:"problem",role:"alert",hidden:!0});head=m("tr");body=m("tbody");foot=new nt;rows=[];get axes(){
let{shown:t,engine:e}=this.store;return t.filter(n=>e.attributes[n].ordered)}draw(){let{shares:t,engine:e,filters:n}=this.store;this.element.hidden=this.axes.length===
0,document.activeElement!==this.input&&(this.input.value=t.map(Bn).join(", "));let r=t.map(o=>m("th",{scope:"col"},`${Bn(o)} %`));this.head.replaceChildren(m("t\
h",{scope:"col",class:"left"},"dimension"),...r);let i=this.axes.map(o=>e.note([n],[o]));this.foot.draw(i.find(Boolean)??""),this.rows=this.axes.map((o,a)=>{let{
title:l,unit:h}=e.attributes[o],u=m("th",{scope:"row",class:"left"},h?`${l} (${h})`:l);return i[a]&&u.append(jt(i[a])),m("tr",{},u,...t.map(()=>m("td",{},"…")))}),
this.body.replaceChildren(...this.rows)}*fill(){let{shares:t,engine:e,filters:n}=this.store,{axes:r,rows:i}=this;for(let[o,a]of r.entries()){let l=e.attributes[a];
Et(e,a,t,n).forEach((h,u)=>{i[o].children[u+1].textContent=h===null?"–":mt(l,h)}),yield}for(let[o,a]of r.entries()){let l=e.attributes[a],h=this.store.engineFor(
t.length*r.length);(yield*St(h,a,t,n)).forEach((c,p)=>{c&&i[o].children[p+1].append(m("small",{},os(l,c)))})}}read(){let t=this.input.value.split(/[\s,;%]+/).filter(
Boolean).map(n=>Number(n)/100),e=t.length>0&&t.length<=20&&t.every(n=>n>=0&&n<=1);this.problem.hidden=e,this.problem.textContent=e?"":"give percentages from 0 t\
o 100, such as 25, 50, 75",e&&this.store.choose("shares",t)}};function mt(s,t){if(s.isCalendar)return s.brief(t);let e=(s.edge(s.count)-s.edge(0))/1e3,n=Math.max(
0,Math.min(6,-Math.floor(Math.log10(e))));return t.toLocaleString("en-US",{maximumFractionDigits:n,useGrouping:!1})}function os(s,{low:t,high:e}){return t===null||
e===null?"":` (${mt(s,t)} to ${mt(s,e)})`}function Bn(s){return Number((s*100).toFixed(6))}var as={integer:"number",number:"number",date:"date",timestamp:"text"},qt=class{constructor(t,e){this.attribute=t;this.choose=e;let n=i=>m("input",{type:as[t.type],
step:t.type==="number"?"any":null,"aria-label":`${t.title} ${i}`,onchange:()=>this.read()});this.low=n("from"),this.high=n("to"),this.element=m("div",{class:"en\
ds"},this.low,m("span",{"aria-hidden":"true"},"to"),this.high,this.problem);let r=[t.text(t.edge(0)),t.text(t.edge(t.count)-t.step)];[this.low.placeholder,this.
high.placeholder]=r}attribute;choose;element;low;high;problem=m("p",{class:"problem",role:"alert",hidden:!0});draw(t){let{attribute:e}=this;this.low.value=t?e.text(
e.tickAt(t[0])):"",this.high.value=t?e.text(e.tickAt(t[1])-e.step):"",this.problem.hidden=!0}read(){let[t,e]=[this.low,this.high].map(n=>n.value.trim()===""?null:
n.value);try{if(this.problem.hidden=!0,t===null&&e===null)this.choose(null);else{let[n]=Q(this.attribute,t,e);if(!n)throw new f(`${this.attribute.name}: no valu\
e lies in that range`);this.choose(n)}}catch(n){if(!(n instanceof f))throw n;this.problem.textContent=n.message,this.problem.hidden=!1}}};var ls=100,Ue=1e3,_t=class{constructor(t,e){this.store=t;this.attribute=e;this.bins=e.displayBins(e.ordered?ls:Ue),this.regular=this.bins.filter(([a])=>a<e.count);
let n=S("card");this.clear=m("button",{type:"button",class:"quiet",onclick:()=>t.filter(e.axis,null)},"Clear");let r=m("h3",{id:n},e.title,e.unit?m("small",{},e.
unit):null),i=m("header",{},r,this.mark.element,this.clear);this.element=m("section",{class:"card","aria-labelledby":n},i);let o=this.bins.slice(this.namedFrom);
if(e.ordered&&(this.histogram=new Ut(e,this.regular,a=>this.choose(a,this.ticked())),this.inputs=new qt(e,a=>this.choose(a,this.ticked())),this.element.append(this.
histogram.element,this.inputs.element)),o.length&&(this.named=new Pt(e,o,a=>this.choose(this.range(),a)),this.element.append(this.named.element)),!e.ordered&&e.
count>Ue){let a=`The first ${v(Ue)} of ${v(e.count)} names; ask for others in SQL.`;this.element.append(m("p",{class:"note"},a))}}store;attribute;element;bins;values=new Float64Array(
0);regular;clear;mark=new _;histogram=null;inputs=null;named=null;draw(t){this.values=t;let e=this.attribute.axis in this.store.filters;this.element.classList.toggle(
"filtered",e),this.clear.hidden=!e,this.mark.draw(this.store.engine.note([this.store.filters],[this.attribute.axis])),this.histogram?.draw(t.subarray(0,this.regular.
length),this.range(),e),this.inputs?.draw(this.range()),this.named?.draw(t.subarray(this.namedFrom),this.ticked(),e,Math.max(...t))}drawErrors(t,e){let n=e.flatMap(
a=>a===null?[]:[mt(this.attribute,a)]),[r,i,o]=n;this.histogram?.summarize(n.length?`median ${i}, middle half ${r} to ${o}`:""),this.histogram?.drawErrors(t.slice(
0,this.regular.length)),this.named?.drawErrors(t.slice(this.namedFrom))}resize(){this.histogram?.resize()}get namedFrom(){return this.attribute.ordered?this.regular.
length:0}range(){let t=this.store.filters[this.attribute.axis];if(!t||!this.attribute.ordered)return null;let e=t.filter(([n])=>n<this.attribute.count);return e.
length===0?null:[e[0][0],Math.min(e[e.length-1][1],this.attribute.count)]}ticked(){let t=this.store.filters[this.attribute.axis]??[];return(this.attribute.ordered?
this.attribute.special:this.bins.map(([n])=>n)).filter(n=>t.some(([r,i])=>r<=n&&n<i))}choose(t,e){let n=e.map(r=>[r,r+1]);t&&t[0]<t[1]&&n.unshift(t),this.store.
filter(this.attribute.axis,n.length?R(n):null)}};var Dt=class{constructor(t){this.store=t;this.clear=m("button",{type:"button",class:"quiet",onclick:()=>t.clear()},"Clear all"),this.link=m("button",{type:"butt\
on",class:"quiet",onclick:()=>this.copy()},"Copy link"),this.element=m("div",{class:"bar"},m("div",{class:"bar-in"},m("div",{class:"figure"},m("span",{class:"me\
asure"},t.engine.facts.measure),this.value,this.range,this.mark.element,this.part),m("div",{class:"filters"},this.chips,m("span",{class:"acts"},this.clear,this.
link))),this.spoken)}store;element;value=m("strong",{class:"count",id:"count"});range=m("span",{class:"range",id:"range"});mark=new _;part=m("span",{class:"part"});spoken=m(
"p",{class:"unseen",role:"status","aria-live":"polite"});chips=m("ul",{class:"chips","aria-label":"Filters"});clear;link;timer=0;draw(t,e){let n=t.low!==null;this.
value.textContent=ut(t),this.range.textContent=n?`95 %: ${Bt(t)}`:"error unknown",this.mark.draw(t.note??"");let r=e.value>0?100*t.value/e.value:0,i=Object.keys(
this.store.filters).length>0;this.part.textContent=i&&e.value>0?`${v(r,r<10?1:0)} % of all`:"",this.clear.hidden=!i,this.chips.replaceChildren(...this.chipsOf()),
clearTimeout(this.timer),this.timer=window.setTimeout(()=>{let o=n?`between ${Bt(t)}`:"error unknown";this.spoken.textContent=[`${ut(t)} selected, ${o}`,t.note].
filter(Boolean).join("; ")},400)}chipsOf(){let{engine:t,filters:e}=this.store,n=Object.entries(e).map(([r,i])=>{let o=t.attributes[Number(r)],a=o.describeIntervals(
i),l={type:"button",onclick:()=>this.store.filter(Number(r),null)};return m("li",{},m("span",{class:"chip-name"},o.title),` ${a} `,m("button",{...l,"aria-label":`\
Remove the filter on ${o.title}`},"×"))});return n.length?n:[m("li",{class:"none"},"Drag over a chart or tick a name.")]}async copy(){try{await navigator.clipboard.
writeText(location.href),this.link.textContent="Copied"}catch{this.link.textContent="Copy it from the address bar"}setTimeout(()=>{this.link.textContent="Copy l\
ink"},2e3)}};function pt(s,t,e,{none:n=null,only:r=()=>!0}={}){let i=s.engine.attributes.filter(r).map(l=>m("option",{value:l.axis},l.title));n!==null&&i.unshift(m("option",
{value:""},n));let o=S("choose"),a=m("select",{id:o,onchange:()=>e(a.value===""?null:Number(a.value))},...i);return{element:m("span",{class:"chooser"},m("label",
{for:o},t),a),draw(l){a.value=String(l??"")}}}var hs=/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,us=/^['"`‘’“”\p{Z}\p{C}]*?[=+\-@\u2212\p{Cc}]/u;function Hn(s){return!hs.test(s)&&us.test(s.normalize("\
NFKC"))}var Un=50,rt=class{constructor(t,e,n){this.scheduler=t;this.kind=e;this.more=m("button",{type:"button",class:"quiet",onclick:()=>this.showMore()},"Show more"),this.
save=m("button",{type:"button",onclick:()=>this.download()},"Download CSV"),this.element=m("div",{class:"result"},m("div",{class:"scroll",tabindex:0,role:"regio\
n","aria-label":n},m("table",{},m("caption",{class:"unseen"},n),m("thead",{},this.head),this.body)),this.foot.element,m("p",{class:"acts"},this.save,this.more,this.
note)),this.element.hidden=!0}scheduler;kind;element;body=m("tbody");head=m("tr");more;save;note=m("span",{class:"note"});foot=new nt;rows=[];titles=[];sorted=null;shown=Un;show({
columns:t,rows:e}){Object.assign(this,{rows:e,sorted:null,shown:Un}),this.element.hidden=!1;let n=t.filter(Pn).length===1;this.titles=t.flatMap(r=>Pn(r)?cs(r,n):
[r]),this.head.replaceChildren(...this.titles.map(r=>m("th",{scope:"col",class:"text"in r?"left":null},m("button",{type:"button",onclick:()=>this.sort(r)},r.name)))),
this.fill()}sort(t){let e=this.sorted?.title===t?!this.sorted.down:!("text"in t);this.sorted={title:t,down:e};let n=e?-1:1;this.rows.sort((r,i)=>n*(t.key(r)-t.key(
i))),[...this.head.children].forEach((r,i)=>{this.titles[i]===t?r.setAttribute("aria-sort",e?"descending":"ascending"):r.removeAttribute("aria-sort")}),this.fill()}showMore(){
this.shown*=4,this.fill()}fill(){let t=this.rows.slice(0,this.shown),e=t.map(r=>m("tr",{},...this.titles.map(i=>ms(r,i))));this.body.replaceChildren(...e),this.
foot.draw(""),this.more.hidden=this.rows.length<=this.shown;let n=this.rows.length===1?"row":"rows";this.note.textContent=this.more.hidden?`${v(this.rows.length)}\
 ${n}`:`${v(t.length)} of ${v(this.rows.length)} ${n}`,this.scheduler.start(this.kind,this.errors(t,e),0)}*errors(t,e){for(let n=0;n<t.length;n+=1){for(let r=0;r<
this.titles.length;r+=1){let i=this.titles[r];if("text"in i)continue;let{of:o,end:a}=i,l=yield*o.figure(t[n]),h=e[n].children[r];h.textContent=ps(l,a,o.digits),
!(a!=="value"||!l.note)&&(h.append(jt(l.note)),this.foot.draw(l.note))}yield}}csv(){let t=[this.titles.map(({name:e})=>jn(e))];for(let e of this.rows){let n=r=>"\
text"in r?jn(r.text(e)):String(j(r.of.figure(e))[r.end]??"");t.push(this.titles.map(n))}return`${t.map(e=>e.join(",")).join(`\r
`)}\r
`}download(){let t=URL.createObjectURL(new Blob([this.csv()],{type:"text/csv;charset=utf-8"}));m("a",{href:t,download:`${this.kind}.csv`}).click(),setTimeout(()=>URL.
revokeObjectURL(t),1e3)}};function cs(s,t){let e=(r,i)=>({name:i,of:s,end:r,key:o=>j(s.figure(o))[r]??-1/0}),n=["low","high"].map(r=>e(r,t?r:`${s.name} ${r}`));
return[{...e("value",s.name),key:r=>s.value(r)??-1/0},...n]}function Pn(s){return"figure"in s}function ms(s,t){if("text"in t)return m("th",{scope:"row",class:"l\
eft"},t.text(s)||"(empty)");let e=t.end==="value"&&t.of.digits===0?t.of.value(s):null;return m("td",{},e===null?"…":v(e))}function ps(s,t,e){let n=s[t];return n===
null?t==="high"&&s.low!==null?"no limit":s.value===null&&s.low===null?"none":"unknown":v(n,s.low===null?e:Lt(s))}function jn(s){let t=Hn(s)?`'${s}`:s;return/[",\r\n]/.
test(t)?`"${t.replaceAll('"','""')}"`:t}var ds=100,Gn=["Group by","and by","and by"],Vt=class{constructor(t,e){this.store=t;let n=S("groups");this.choosers=Gn.map((r,i)=>pt(t,r,o=>this.choose(i,o),{none:i?
"–":null})),this.table=new rt(e,"groups","Totals by group"),this.element=m("section",{class:"panel","aria-labelledby":n},m("header",{},m("h2",{id:n},"Table"),
...this.choosers.map(({element:r})=>r)),this.problem,this.table.element)}store;element;choosers;table;problem=m("p",{class:"problem",role:"alert",hidden:!0});choose(t,e){
let n=[...this.store.group];e===null?n.splice(t,1):n[Math.min(t,n.length)]=e,this.store.choose("group",[...new Set(n)].slice(0,Gn.length))}draw(){let{engine:t,filters:e,
group:n}=this.store;this.choosers.forEach(({element:r,draw:i},o)=>{r.hidden=o>n.length||o>=t.attributes.length,i(n[o])});try{this.problem.hidden=!0;let r=n.map(
h=>this.binsOf(t.attributes[h])),i=vt(t,[e],n,r),o=new J(this.store.engineFor(i.length),[e],n.map(h=>t.attributes[h])),a={name:t.facts.measure,digits:0,value:h=>h.
value,figure:h=>Y(()=>o.answer(h))},l=n.map((h,u)=>$e(t.attributes[h].title,u));this.table.show({columns:[...l,a],rows:i})}catch(r){if(!(r instanceof f))throw r;
this.problem.textContent=r.message,this.problem.hidden=!1,this.table.element.hidden=!0}}binsOf(t){return t.displayBins(t.ordered?ds:1/0)}};var fs={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]},zt=class{constructor(t,e){this.map=t;this.store=t.store,this.told=m("p",{class:"told",
id:e,"aria-live":"polite"});let{picture:n}=t;n.append(this.cursor),n.addEventListener("keydown",r=>this.key(r)),n.addEventListener("pointerdown",r=>this.press(r)),
n.addEventListener("pointermove",r=>this.move(r)),n.addEventListener("pointerup",()=>this.release()),n.addEventListener("pointercancel",()=>{this.held=null});for(let r of[
"pointerleave","blur"])n.addEventListener(r,()=>this.say(null))}map;told;store;cursor=y("rect",{class:"cursor",visibility:"hidden"});place=[0,0];held=null;dragged=!1;press(t){
t.button===0&&(this.held=this.map.cellAt(t),t.pointerType==="mouse"&&this.map.picture.setPointerCapture(t.pointerId))}move(t){this.say(this.map.cellAt(t)),!(!this.
held||String(this.held)===String(this.place))&&(this.dragged=!0,this.keep(this.held,this.place))}release(){this.held&&!this.dragged&&this.toggle(this.held),this.
held=null,this.dragged=!1}key(t){let e=fs[t.key];if(e)this.say([this.place[0]+e[0],this.place[1]+e[1]]);else if(t.key==="Enter"||t.key===" ")this.toggle(this.map.
nearest(this.place));else if(t.key==="Escape")this.keepNothing();else return;t.preventDefault()}toggle(t){let{filters:e,map:n}=this.store;n.every((i,o)=>String(
e[i])===String(this.map.bins[o][t[o]]))?this.keepNothing():this.keep(t,t)}keep(t,e){this.store.map.forEach((n,r)=>{let[i,o]=[t[r],e[r]].sort((l,h)=>l-h),a=this.
map.bins[r];this.store.filter(n,[[a[i][0],a[o][1]]])})}keepNothing(){for(let t of this.store.map)this.store.filter(t,null)}say(t){M(this.cursor,{visibility:t?"v\
isible":"hidden"}),this.told.textContent=t?this.words(this.map.nearest(t)):""}words(t){let{bins:e,cell:n,attributes:r,answers:i,values:o}=this.map;this.place=t;
let[a,l]=this.map.corner(...t);M(this.cursor,{x:a,y:l,width:n[0]-.6,height:n[1]-.6});let h=t[0]*e[1].length+t[1],u=i?tt(i[h]):v(o[h]);return`${r.map(({title:p},d)=>`${p}\
 ${r[d].describeBin(e[d][t[d]])}`).join(", ")}: ${u}`}};var gs=32,bs=60,L={left:92,right:8,top:6,bottom:34},Kt=class{constructor(t){this.store=t;let e=S("map");this.across=pt(t,"Across",r=>this.turn(r??0,t.map[1])),this.
up=pt(t,"Up",r=>this.turn(t.map[0],r??0)),this.picture=y("svg",{class:"map",tabindex:0,role:"application","aria-labelledby":e,"aria-describedby":`${e}-told`},this.
axis,this.cells,this.marks,this.frame);let n=new zt(this,`${e}-told`);this.plot.append(this.picture),this.element=m("section",{class:"panel","aria-labelledby":e},
m("header",{},m("h2",{id:e},"Heat map"),this.mark.element,this.across.element,this.up.element),this.plot,n.told,this.legend)}store;element;picture;bins=[[],[]];cell=[
0,0];values=new Float64Array(0);answers=null;width=0;height=0;across;up;cells=y("g",{"aria-hidden":"true"});marks=y("g",{class:"marks","aria-hidden":"true"});axis=y(
"g",{class:"axis","aria-hidden":"true"});frame=y("rect",{class:"map-brush",visibility:"hidden"});plot=m("div",{class:"plot"});legend=m("p",{class:"legend"});mark=new _;turn(t,e){
let[n,r]=this.store.map;this.store.choose("map",t===e?[r,n]:[t,e])}get attributes(){return this.store.map.map(t=>this.store.engine.attributes[t])}compute(){return this.
bins=this.attributes.map(t=>t.displayBins(t.ordered?gs:bs)),this.store.engine.grid(this.store.map,this.bins,this.store.filters)}draw(t){this.values=t,this.answers=
null,this.across.draw(this.store.map[0]),this.up.draw(this.store.map[1]),this.mark.draw(this.store.engine.note([this.store.filters],this.store.map)),this.width||
(this.width=this.room()),this.paint()}resize(){let t=this.room();!this.values.length||t===this.width||(this.width=t,this.paint(),this.answers&&this.drawErrors(this.
answers))}room(){return Math.max(240,Math.floor(this.plot.clientWidth))}paint(){let[t,e]=this.bins.map(i=>i.length);this.cell=[(this.width-L.left-L.right)/t,Math.
max(9,Math.min(26,420/e))],this.height=L.top+L.bottom+this.cell[1]*e,M(this.picture,{width:this.width,height:this.height,viewBox:`0 0 ${this.width} ${this.height}`});
let n=Math.max(...this.values,0);for(;this.cells.childElementCount>t*e;)this.cells.lastElementChild?.remove();for(;this.cells.childElementCount<t*e;)this.cells.
append(y("rect",{class:"cell"}));let r=this.cells.children;for(let i=0;i<t;i+=1)for(let o=0;o<e;o+=1){let[a,l]=this.corner(i,o),h=n>0?Math.sqrt(Math.max(this.values[i*
e+o],0)/n):0;M(r[i*e+o],{x:a,y:l,width:Math.max(.5,this.cell[0]-.6),height:this.cell[1]-.6,"fill-opacity":h.toFixed(3)})}this.marks.replaceChildren(),this.paintAxes(),
this.paintFrame(),this.legend.replaceChildren(m("span",{class:"ramp","aria-hidden":"true"}),`0 to ${et(n)} a cell, by the square root`)}drawErrors(t){this.answers=
t;let e=this.bins[1].length,n=[];t.forEach((i,o)=>{if(i.low===null||i.value<1||i.high-i.low<i.value)return;let[a,l]=this.corner(Math.floor(o/e),o%e);n.push(y("c\
ircle",{cx:a+this.cell[0]/2,cy:l+this.cell[1]/2,r:1.3}))}),this.marks.replaceChildren(...n);let r=t.some(i=>i.low===null);this.legend.append(r?"; errors are unk\
nown":"; a dot: the error is more than half the total")}paintAxes(){let[t,e]=this.attributes,[n,r]=this.bins.map(u=>u.length),i=[],o=(u,c,p,d)=>y("text",d,Cn(qn(
u,c),p),y("title",{},u.describeBin(c))),a=0;this.bins[0].forEach((u,c)=>{let p=this.corner(c,0)[0]+this.cell[0]/2,d=Math.min(qn(t,u).length,10)*3.3;p-d<a||p+d>this.
width||(i.push(o(t,u,10,{x:p,y:this.height-L.bottom+14,"text-anchor":"middle"})),a=p+d+8)});let l=Math.ceil(13/this.cell[1]),h=-1/0;for(let u=r-1;u>=0;u-=1){let c=this.
bins[1][u],p=this.corner(0,u)[1]+this.cell[1]/2+4;u%l&&c[0]<e.count||p-h<11.5||(i.push(o(e,c,13,{x:L.left-6,y:p,"text-anchor":"end"})),h=p)}i.push(y("text",{x:(L.
left+this.width)/2,y:this.height-4,"text-anchor":"middle",class:"axis-name"},t.title)),this.axis.replaceChildren(...i),M(this.picture,{"data-cells":n*r})}paintFrame(){
let t=this.store.map.map((l,h)=>{let u=this.store.filters[l];if(!u)return null;let c=this.bins[h].map(p=>u.some(([d,g])=>d<p[1]&&g>p[0]));return[c.indexOf(!0),c.
lastIndexOf(!0)]});if(t.every(l=>l===null)||t.some(l=>l&&l[0]<0)){M(this.frame,{visibility:"hidden"});return}let[e,n]=t.map((l,h)=>l??[0,this.bins[h].length-1]),
[r,i]=[this.corner(e[0],n[0])[0],this.corner(e[0],n[0])[1]+this.cell[1]],[o,a]=[this.corner(e[1],n[1])[0]+this.cell[0],this.corner(e[1],n[1])[1]];M(this.frame,{
x:r,y:a,width:o-r,height:i-a,visibility:"visible"})}cellAt(t){let e=this.picture.getBoundingClientRect(),n=Math.floor((t.clientX-e.left-L.left)/this.cell[0]),r=this.
bins[1].length-1-Math.floor((t.clientY-e.top-L.top)/this.cell[1]);return this.nearest([n,r])}nearest([t,e]){let n=(r,i)=>Math.max(0,Math.min(this.bins[i].length-
1,r));return[n(t,0),n(e,1)]}corner(t,e){return[L.left+t*this.cell[0],L.top+(this.bins[1].length-1-e)*this.cell[1]]}};function qn(s,t){return s.ordered&&t[0]<s.count?
s.brief(s.tickAt(t[0])):s.describe(t[0])}var ws=12,Wt=class{constructor(t){this.store=t;let{attributes:e}=t.engine;this.boxes=e.map(({axis:r})=>m("input",{type:"checkbox",onchange:()=>this.toggle(r,this.
boxes[r].checked)})),this.items=e.map((r,i)=>m("li",{},m("label",{},this.boxes[i],m("span",{},r.title),m("small",{},`${v(r.size)} ${r.size===1?"value":"values"}`))));
let n=m("input",{type:"search",placeholder:"Find a dimension","aria-label":"Find a dimension",oninput:()=>this.find(n.value)});this.element=m("details",{class:"\
picker"},this.summary,e.length>ws?n:null,m("ul",{},...this.items))}store;element;boxes;items;summary=m("summary",{});draw(){let{shown:t,engine:e}=this.store;this.
summary.textContent=`Dimensions: ${t.length} of ${e.attributes.length} shown`,this.boxes.forEach((n,r)=>{n.checked=t.includes(r)})}toggle(t,e){let n=this.store.
shown.filter(r=>r!==t);this.store.choose("shown",e?[...n,t].sort((r,i)=>r-i):n)}find(t){let e=t.trim().toLowerCase();this.store.engine.attributes.forEach(({name:n,
title:r},i)=>{this.items[i].hidden=!`${n} ${r}`.toLowerCase().includes(e)})}};var Qt=class{constructor(t){this.store=t;this.box=m("input",{type:"checkbox",id:"simultaneous","aria-describedby":"simultaneous-note",onchange:()=>t.choose("sim\
ultaneous",this.box.checked)}),this.element=m("p",{class:"switch"},m("label",{},this.box,m("span",{},"Simultaneous intervals")),m("span",{class:"note",id:"simul\
taneous-note"},"All intervals of a chart, map or table hold together in 95 of 100 cases. They are longer."))}store;element;box;draw(){this.box.checked=this.store.
simultaneous}};function _n(s,t,e){let n=e.map(o=>Vn(s.attributes[o].name)),r=Object.entries(t).map(([o,a])=>ys(s.attributes[Number(o)],a)),i=[`SELECT ${[...n,Z(s.facts.measure)].
join(", ")}`,"FROM view"];return r.length&&i.push(`WHERE ${r.join(`
  AND `)}`),n.length&&i.push(`GROUP BY ${n.join(", ")}`),i.join(`
`)}function ys(s,t){let e=Vn(s.name),n=[],r=[];for(let[i,o]of t){let a=Math.min(o,s.count);if(s.ordered)i<a&&n.push(Dn(s,e,i,a));else for(let l=i;l<a;l+=1)r.push(
Pe(s.names[l]));s.other&&i<=s.count&&s.count<o&&n.push(vs(s,e)),s.missing&&i<=s.missingCode&&s.missingCode<o&&n.push(`${e} IS NULL`)}return r.length&&n.unshift(
`${e} IN (${r.join(", ")})`),n.length===0?`(${e} IS NULL AND ${e} IS NOT NULL)`:n.length===1?n[0]:`(${n.join(" OR ")})`}function Dn(s,t,e,n){let r=a=>s.isCalendar?
Pe(s.text(a)):s.text(a),[i,o]=[s.tickAt(e),s.tickAt(n)];return s.step?`${t} BETWEEN ${r(i)} AND ${r(o-s.step)}`:`${t} >= ${r(i)} AND ${t} < ${r(o)}`}function vs(s,t){
return s.ordered?`NOT (${Dn(s,t,0,s.count)})`:`${t} NOT IN (${s.names.map(Pe).join(", ")})`}function Vn(s){return/^[a-z_][a-z0-9_]*$/i.test(s)?s:`"${s.replaceAll(
'"','""')}"`}function Pe(s){return`'${s.replaceAll("'","''")}'`}var Yt=class{constructor(t,e){this.store=t;let n=S("sql");this.text=m("textarea",{id:"sql",rows:5,spellcheck:"false",autocapitalize:"off",autocomplete:"off","ar\
ia-labelledby":n,onkeydown:r=>{r.key==="Enter"&&(r.ctrlKey||r.metaKey)&&this.run()}}),this.table=new rt(e,"answer","Answer to the question in SQL"),this.element=
m("section",{class:"panel","aria-labelledby":n},m("header",{},m("h2",{id:n},"SQL")),this.text,m("p",{class:"acts"},m("button",{type:"button",class:"main",onclick:()=>this.
run()},"Run"),m("button",{type:"button",class:"quiet",onclick:()=>this.takeOver()},"Use the filters above"),m("span",{class:"note"},"Ctrl+Enter runs it")),this.
problem,this.table.element)}store;element;text;problem=m("p",{class:"problem",role:"alert",hidden:!0});table;ran="";simultaneous=!1;draw(){this.store.sql===null?
this.text.value===""&&this.takeOver():(this.store.sql!==this.ran||this.store.simultaneous!==this.simultaneous)&&(this.text.value=this.store.sql,this.answer())}takeOver(){
let{engine:t,filters:e,group:n}=this.store;this.text.value=_n(t,e,n)}run(){this.answer(),this.store.choose("sql",this.text.value)}answer(){let{simultaneous:t}=this.
store;Object.assign(this,{ran:this.text.value,simultaneous:t}),this.problem.hidden=!0,this.table.element.hidden=!0;try{this.table.show($t(this.store.engine,this.
text.value,{simultaneous:t}))}catch(e){if(!(e instanceof f))throw e;this.problem.textContent=e.message,this.problem.hidden=!1}}};function Kn({privacy:s}){return s.warning?m("p",{class:"warning",role:"alert"},`${s.warning}. Never give this view away.`):null}function Wn(s){let{privacy:t}=s,
e=S("privacy"),n=[t.promise,...t.words];return m("section",{class:"panel privacy","aria-labelledby":e},m("header",{},m("h2",{id:e},"Privacy")),...[...n,"All num\
bers here are estimates. Noise was added on purpose, and the distribution inside a block is estimated. The 95 % intervals allow for both. Where a method gives n\
o error, the page says so.",...s.content.mixture?["Some pairs of dimensions were measured together. A dagger (†) marks answers about several dimensions of which\
 no two were: they take the dimensions as independent."]:[]].map(o=>m("p",{},o)),xs(s),m("h3",{},"What the budget was spent on"),m("p",{},"Along the path from t\
he whole table to a block with the largest privacy loss."),zn(["spent on","by",t.currency],t.ledger.map(([o,a,l])=>[o,a,Zt(l)])),m("details",{},m("summary",{},`\
All ${v(t.entries.length)} entries of the ledger`),zn(["purpose","mechanism","statistic","sensitivity",t.currency,"blocks"],t.entries.map(([o,a,l,h,u,c])=>[o,a,
l,String(h),u,v(c)]))))}function xs(s){let{privacy:t}=s,e=[["definition",t.definition],["epsilon",`${Zt(t.epsilon)}, of which ${Zt(t.spent)} was spent`],...t.delta?
[["delta",Zt(t.delta)]]:[],["protects",t.unit],["noise from",t.entropy],["method",s.method],["holds",`${v(s.rows)} ${s.noun} for ${As(s.cells)} cells`],["made b\
y",s.software]];return m("dl",{},...e.flatMap(([n,r])=>[m("dt",{},n),m("dd",{},r)]))}function zn(s,t){let e=(n,r)=>m("tr",{},...n.map((i,o)=>m(r,{class:o<2?"lef\
t":null,scope:r==="th"?"col":null},i)));return m("div",{class:"scroll",tabindex:0,role:"region","aria-label":"Ledger"},m("table",{},m("thead",{},e(s,"th")),m("t\
body",{},...t.map(n=>e(n,"td")))))}function Zt(s){return String(Number(s.toPrecision(6)))}function As(s){return s.length>15?`about 10^${s.length-1}`:s.replace(/\B(?=(\d{3})+$)/g,
",")}var Ms=864e5,Jt=class{constructor(t,e){this.axis=e;this.name=t.name,this.unit=t.unit,this.type=t.type,this.size=t.size,this.count=t.count,this.other=t.other,this.
missing=t.missing,this.otherName=t.otherName,this.missingName=t.missingName,this.title=t.label||t.name,this.ordered=t.names===void 0,this.names=t.names??[],this.
codes=new Map(this.names.map((n,r)=>[n,r])),this.step=t.step??0,this.bins=t.bins??{edges:[]}}axis;name;unit;type;size;count;other;missing;otherName;missingName;title;ordered;names;codes;step;bins;get missingCode(){
return this.count+(this.other?1:0)}get special(){return Array.from({length:this.size-this.count},(t,e)=>this.count+e)}describe(t){return t>=this.count?this.other&&
t===this.count?this.otherName:this.missingName:this.ordered?this.describeRange(t,t+1):this.names[t]}describeRange(t,e){let n=this.tickAt(t),r=this.tickAt(e);return r-
n<=this.step?this.text(n):`${this.text(n)} to ${this.text(r-this.step)}`}describeIntervals(t){let e=[];for(let[n,r]of t){let i=Math.min(r,this.count);if(n<i)if(this.
ordered)e.push(this.describeRange(n,i));else for(let o=Math.floor(n);o<i;o+=1)e.push(this.names[o]);for(let o of this.special)n<=o&&o<r&&e.push(this.describe(o))}
return e.length===0?"nothing":e.length>4?`${e.slice(0,3).join(", ")} and ${e.length-3} more`:e.join(", ")}tickAt(t){let e=Math.min(Math.floor(t),this.count-1),n=this.
edge(e);return t===e?n:n+(t-e)*(this.edge(e+1)-n)}edge(t){let{bins:e}=this;return e.edges?e.edges[t]:t===this.count?e.stop:e.start+t*e.width}positionOf(t){let{bins:e}=this;
if(t>=this.edge(this.count))return this.count;if(t<=this.edge(0))return 0;let n=this.count-1;if(e.edges){let i=O(e.edges,t);return i+(t-e.edges[i])/(e.edges[i+1]-
e.edges[i])}let r=(t-e.start)/e.width;return r<=n?r:Math.min(this.count,Math.max(n+(t-this.edge(n))/(e.stop-this.edge(n)),n))}text(t){if(this.type==="integer")return String(
Math.round(t));if(this.type==="number")return ks(t);let[e,n]=new Date(Math.round(t)).toISOString().replace("Z","").split("T");return this.type==="date"?e:`${e} ${n.
replace(/\.0+$/,"")}`}brief(t){if(this.type!=="timestamp")return this.text(t);let[e,n]=new Date(Math.round(t)).toISOString().split("T"),r=(this.edge(this.count)-
this.edge(0))/Ms;return r>60?e:r<=1?n.slice(0,5):`${e.slice(5)} ${n.slice(0,5)}`}parse(t){let e=t.trim();if(this.type==="integer"||this.type==="number")return e!==
""&&Number.isFinite(Number(e))?Number(e):null;let n=/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?$/.exec(e);if(!n||this.type==="date"&&n[2])
return null;let r=Date.parse(`${n[1]}T${n[2]??"00:00"}Z`);return Number.isFinite(r)&&new Date(r).toISOString().startsWith(n[1])?r:null}displayBins(t){let e=this.
ordered?Math.max(1,Math.ceil(this.count/t)):1,n=this.ordered?this.count:Math.min(this.count,t),r=[];for(let i=0;i<n;i+=e)r.push([i,Math.min(i+e,n)]);return[...r,
...this.special.map(i=>[i,i+1])]}describeBin([t,e]){return e-t===1||t>=this.count?this.describe(t):this.describeRange(t,e)}get isCalendar(){return this.type==="\
date"||this.type==="timestamp"}};function ks(s){if(s===0)return"0";let[t,e]=s.toExponential(9).split("e"),n=Number(e);if(n<-4||n>=10){let r=n<0?"-":"+";return`${Number(
t)}e${r}${String(Math.abs(n)).padStart(2,"0")}`}return s.toFixed(Math.max(0,9-n)).replace(/(\.\d*?)0+$/,"$1").replace(/\.$/,"")}var P=class{constructor(t,e){this.sides=t;this.values=e}sides;values;cover(t,e=[]){return Object.keys(t).map(Number).filter(r=>!e.includes(r)).map(r=>[r,this.sides[r].
covered(t[r])])}weighted(t){let e=Float64Array.from(this.values);for(let[n,r]of t){let{which:i}=this.sides[n];for(let o=0;o<e.length;o+=1)e[o]*=r[i[o]]}return e}histogram(t,e,n){
let r=this.sides[t],i=this.weighted(this.cover(n,[t])),o=new Float64Array(r.count);for(let c=0;c<i.length;c+=1)o[r.which[c]]+=i[c];let{first:a,bin:l,share:h}=r.
spread(e),u=new Float64Array(e.length);for(let c=0;c<r.count;c+=1)for(let p=a[c];p<a[c+1];p+=1)u[l[p]]+=o[c]*h[p];return u}grid(t,e,n,{within:r=!1}={}){let i=t.
map(u=>this.sides[u]),o=t.map((u,c)=>i[c].spread(e[c],r?n[u]??null:null)),a=this.weighted(this.cover(n,t)),l=new Float64Array(e.reduce((u,c)=>u*c.length,1)),h=(u,c,p,d)=>{
if(u===t.length){l[p]+=d;return}let{first:g,bin:b,share:w}=o[u],x=i[u].which[c],E=e[u].length;for(let I=g[x];I<g[x+1];I+=1)h(u+1,c,p*E+b[I],d*w[I])};for(let u=0;u<
a.length;u+=1)a[u]!==0&&h(0,u,0,a[u]);return l}};function je(s,t){return t.map((e,n)=>{let r=new Map,i=[],o=new Int32Array(s[n].length);for(let a=0;a<o.length;a+=
1){let l=s[n][a],h=r.get(l);h===void 0&&(h=i.length,r.set(l,h),i.push(l)),o[a]=h}return new G(Float64Array.from(i),Float64Array.from(i,a=>a+1),o,null)})}var st=class{constructor(t,e){this.axis=t;this.cut=e;this.count=t.length,this.right=new Int32Array(this.count),this.leaf=new Int32Array(this.count).fill(-1),this.
own=new Int32Array(this.count),this.cutting=new Int32Array(this.count);let n=new Int32Array(this.count);for(let i=this.count-1;i>=0;i-=1)n[i]=1,!(t[i]<0)&&(this.
right[i]=i+1+n[i+1],n[i]+=n[i+1]+n[this.right[i]]);let r=0;for(let i=0;i<this.count;i+=1)t[i]<0&&(this.leaf[i]=r++);this.leaves=r}axis;cut;count;leaves;right;leaf;own;cutting;addUp(t){
let e=new Float64Array(this.count);for(let n=this.count-1;n>=0;n-=1)e[n]=this.axis[n]<0?t[this.leaf[n]]:e[n+1]+e[this.right[n]];return e}sides(t,e){let n=t.length,
r=t.map((a,l)=>new qe(this,l,a)),i=new Int32Array(this.count*n),o=t.map(()=>new Int32Array(this.leaves));for(let a=0;a<n;a+=1)i[a]=r[a].of(0,t[a]);for(let a=0;a<
this.count;a+=1){let l=a*n,h=this.axis[a];if(h<0){for(let g=0;g<n;g+=1)o[g][this.leaf[a]]=i[l+g];continue}let u=i[l+h];this.cutting[a]=u;let{lower:c,upper:p}=r[h],
d=[[a+1,c[u],this.cut[a]],[this.right[a],this.cut[a],p[u]]];for(let[g,b,w]of d)i.copyWithin(g*n,l,l+n),this.own[g]=i[g*n+h]=r[h].of(b,w)}return r.map(({lower:a,
upper:l},h)=>new G(Float64Array.from(a),Float64Array.from(l),o[h],e?.[h]??null))}},qe=class{lower=[];upper=[];place;seen=new Map;constructor(t,e,n){let r=new Set(
[0,n]);for(let i=0;i<t.count;i+=1)t.axis[i]===e&&r.add(t.cut[i]);this.place=new Map([...r].map((i,o)=>[i,o]))}of(t,e){let n=(this.place.get(t)??0)*this.place.size+
(this.place.get(e)??0),r=this.seen.get(n);return r===void 0&&(r=this.lower.length,this.seen.set(n,r),this.lower.push(t),this.upper.push(e)),r}},it=class{constructor(t,e){
this.tree=t;let n=Float64Array.from(e);this.share=new Float64Array(t.count).fill(1),this.between=new Float64Array(t.count);for(let r=t.count-1;r>=0;r-=1){if(t.axis[r]<
0)continue;let i=r+1,o=t.right[r],a=n[i]+n[o];n[r]=Number.isFinite(e[r])?e[r]*Ge(a,e[r]+a):a,this.share[i]=Ge(n[i],a),this.share[o]=Ge(n[o],a),this.between[r]=n[o]*
this.share[i]}this.root=n[0],this.through=new Float64Array(t.count),this.inside=new Float64Array(t.count)}tree;root;share;between;through;inside;ofWeights(t){let{
tree:e}=this;for(let n=e.count-1;n>=0;n-=1)e.axis[n]<0?this.settle(n,t[e.leaf[n]]):this.join(n);return this.atRoot()}settle(t,e){this.through[t]=e,this.inside[t]=
0}join(t){let e=t+1,n=this.tree.right[t],r=this.through[e]-this.through[n];this.through[t]=this.share[e]*this.through[e]+this.share[n]*this.through[n],this.inside[t]=
this.inside[e]+this.inside[n]+this.between[t]*r*r}atRoot(){return this.inside[0]+this.through[0]**2*this.root}};function Xt(s,t){return Float64Array.from(s,e=>e===
0?1/0:t[e-1])}function Ge(s,t){return t>0?s/t:.5}function z(s,{scatter:t,power:e}){let n=Math.max(s,0);return n+t*n**e}function Qn(s,t,e,n){let{of:r,count:i}=n,o=new Float64Array(i),a=new Float64Array(i),l=new Float64Array(
i);for(let u=0;u<r.length;u+=1){let c=s[t[u]];o[r[u]]+=c,a[r[u]]+=c*c,l[r[u]]=e[u]}let h=0;for(let u=0;u<i;u+=1)h+=Math.max(o[u]**2,a[u])*l[u]*(1-l[u]);return h}
function Yn(s,t,e,n,r,i){let{of:o,count:a}=r,l=new Float64Array(a),h=new Float64Array(a),u=0;for(let p=0;p<o.length;p+=1)u+=t[e[p]]*n[p]*(1-n[p]),l[o[p]]+=s[e[p]],
h[o[p]]=n[p];let c=0;for(let p=0;p<a;p+=1)c+=z(l[p],i)*h[p]*(1-h[p]);return(1-i.together)*u+i.together*c}function _e(s,t,e){let n=new Float64Array(e.length),r=1;
for(let[i,o]of t){let{which:a,count:l}=s[i];r*(l+1)>4503599627370496&&({of:n,count:r}=te(n));for(let h=0;h<e.length;h+=1){let u=a[e[h]];n[h]=n[h]*(l+1)+(o[u]<1?
u+1:0)}r*=l+1}return te(n)}function Zn(s,t,e,n){let r=new Float64Array(e.length);return t.forEach((i,o)=>{let a=_e(s,i,e);for(let l=0;l<e.length;l+=1)r[l]=r[l]*
(a.count+1)+(n[o][l]?a.of[l]+1:0);({of:r}=te(r))}),te(r)}function te(s){let t=new Map,e=new Float64Array(s.length);for(let n=0;n<s.length;n+=1){let r=t.get(s[n])??
t.size;t.set(s[n],r),e[n]=r}return{of:e,count:t.size}}function Jn(s,t,e,n){let{margin_weight:r,unmeasured_weight:i,unmeasured_power:o}=n;if(!(r||i)||!(s>0))return 0;let a=t.map(g=>Es(g,e.sizes)),l=t.map((g,b)=>Is(g,
a[b],s,e,n)),h=r*Math.max(0,...l);if(a.every(g=>g.length<=1))return h;let{total:u,record:c}=e,p=u>0?Math.min(s/u,1):0,d=z(u/c,n)*c**2;return h+i*d*p**o*(1-p)}function Is(s,t,e,n,r){
let i=0;for(let o of t){let a=r.histogram_variances[o]??null;if(a===null)continue;let[l,h,u]=[n.axes[o],D(s[o]),n.sizes[o]],c=g=>l.mass?l.at(g):g,p=s[o].reduce(
(g,[b,w])=>g+c(w)-c(b),0),d=c(u)>0?n.total*p/c(u):0;i+=a*Math.max(Math.min(h,u-h),0)*(e/Math.max(e,d))**2}return i}function Es(s,t){return Object.keys(s).map(Number).
filter(n=>D(s[n])<t[n])}var Ss=1-1e-12,ot=class{constructor(t,e,n=r=>new P(r,t.values)){this.sizes=e;let r=t.errorModel;this.model=r,this.tree=new st(t.axis,t.cut),this.record=t.record,
this.rows=n(this.tree.sides(e,t.density)),this.covariance=new it(this.tree,Xt(t.measured,t.variances)),this.totals=this.tree.addUp(this.rows.values);let{count:i}=this.
tree;this.stacks={nodes:new Int32Array(i),out:new Int32Array(i),inner:new Int32Array(i)},this.records=t.values.map(o=>o/this.record),this.scatter=this.records.map(
o=>r?z(o,r):0)}sizes;rows;model;record;covariance;tree;totals;records;scatter;stacks;answer(t){let e=this.summed(t),{value:n,noise:r,partly:i,share:o,groups:a}=e,
{model:l}=this;if(!l)return q(n,r,Qn(this.rows.values,i,o,a),2.12);let[h,...u]=t,c=h&&u.length===0,[p,d]=c?this.ofHistogram(h,Object.keys(h).map(Number),l):[1/0,
0],g=i.reduce((I,K,F)=>I+this.rows.values[K]*o[F],0),b={total:this.totals[0],record:this.record,axes:this.rows.sides,sizes:this.sizes},w=Jn(g,t,b,l),x=this.scattered(
e,l)+this.cutOff(d,n,l)+w,E=Math.min(x,Math.max(p-r,0));return q(n,Math.min(r,p),E,l.z)}summed(t,e=1/0){let n=t.map(i=>this.rows.cover(i)),r=t.length===1?this.descend(
n[0],t[0],e):this.unite(n);return r&&{...r,noise:this.covariance.atRoot()}}scattered({partly:t,share:e,groups:n},r){return Yn(this.records,this.scatter,t,e,n,r)*
this.record**2}unite(t){let{sides:e,values:n}=this.rows,r=new Float64Array(n.length),i=t.map(h=>Float64Array.from(n,(u,c)=>Xn(h,e,c)));for(let h of i)for(let u=0;u<
r.length;u+=1)r[u]+=h[u];let o=[],a=0;for(let h=0;h<r.length;h+=1)r[h]>=Ss?r[h]=1:r[h]>0&&o.push(h),a+=r[h]*n[h];this.covariance.ofWeights(r);let l=i.map(h=>o.map(
u=>h[u]>0));return{value:a,partly:o,share:o.map(h=>r[h]),groups:Zn(e,t,o,l)}}descend(t,e,n){let r=n<1/0?n/this.record**2/(1-(this.model?.together??0)):1/0,i=0,{
tree:o,covariance:a,totals:l,rows:h}=this,u=new Array(this.sizes.length).fill(null);for(let[A]of t)u[A]=h.sides[A].touched(e[A]);let{axis:c,right:p,own:d,cutting:g,
leaf:b}=o,{nodes:w,out:x,inner:E}=this.stacks,I=[],K=[],[F,W,pe]=[1,0,0];for(w[0]=0,x[0]=t.filter(([A])=>(u[A]?.[0]??2)<2).length;F;){F-=1;let A=w[F],de=x[F];if(de===
0)pe+=l[A],a.settle(A,1);else if(c[A]<0){let T=Xn(t,h.sides,b[A]);if(pe+=T*l[A],a.settle(A,T),T>0&&T<1){if(I.push(b[A]),K.push(T),r===1/0)continue;if(i+=this.scatter[b[A]]*
T*(1-T),i>r)return null}}else{E[W]=A,W+=1;let T=u[c[A]];for(let ft=A+1,Ke=0;Ke<2;ft=p[A],Ke+=1){let We=T?T[d[ft]]:1;if(We===0){a.settle(ft,0);continue}w[F]=ft,x[F]=
T&&We===2&&T[g[A]]<2?de-1:de,F+=1}}}for(let A=W-1;A>=0;A-=1)a.join(E[A]);return{value:pe,partly:I,share:K,groups:_e(h.sides,t,I)}}ofHistogram(t,[e,...n],r){let i=r.
histogram_variances[e]??null;if(i===null||n.length)return[1/0,0];let o=t[e],a=D(o),l=this.sizes[e]-a;return[!o.some(c=>c.some(p=>p%1))?Math.min(a*i,l*i+this.covariance.
root):1/0,i*Math.max(Math.min(a,l),0)]}cutOff(t,e,n){return n.histogram_weight*Math.max(t-Math.max(e,0)**2,0)}};function Xn(s,t,e){let n=1;for(let[r,i]of s)n*=i[t[r].
which[e]];return n}var ee=class{constructor(t,e){this.sizes=e;this.rows=new P(je(Rs(e,t.values.length),e),t.values)}sizes;rows;total(t){return tr(this.rows,t)}},ne=class extends ee{bucket;covariance;size;totals;constructor(t,e){
super(t,e),this.bucket=t.bucket;let n=new st(t.axis,t.cut);this.covariance=new it(n,Xt(t.measured,t.variances)),this.size=new Float64Array(n.leaves),this.totals=
new Float64Array(n.leaves),this.bucket.forEach((r,i)=>{this.size[r]+=1,this.totals[r]+=t.values[i]})}answer(t){let e=new Float64Array(this.size.length),n=0;for(let i of t.
map(o=>this.rows.cover(o)))for(let o=0;o<this.bucket.length;o+=1){let a=1;for(let[l,h]of i)a*=h[this.rows.sides[l].which[o]];e[this.bucket[o]]+=a,n+=a*this.rows.
values[o]}let r=0;for(let i=0;i<e.length;i+=1)e[i]=Math.min(e[i]/this.size[i],1),r+=this.totals[i]**2*e[i]*(1-e[i]);return q(n,this.covariance.ofWeights(e),r,2.12)}},
re=class extends ee{bases;inverse;variance;constructor(t,e){super(t,e),this.bases=t.bases,this.inverse=t.inverse,this.variance=t.variance}answer(t){let e=t.map(
i=>this.rows.cover(i)),n=e.map(i=>this.turned(new Map(i))),r=0;return n.forEach((i,o)=>{n.slice(o).forEach((a,l)=>{r+=(l?2:1)*this.covariance(i,a)})}),q(this.total(
e),r*this.variance,0,2.12)}turned(t){return this.sizes.map((e,n)=>Ts(this.bases[n],e,this.weights(n,t.get(n))))}covariance(t,e){let n=this.inverse;return t.forEach(
(r,i)=>{let o=r[0]*e[i][0],a=0;for(let u=1;u<r.length;u+=1)a+=r[u]*e[i][u];let l=n.length/2,h=new Float64Array(l);for(let u=0;u<l;u+=1)h[u]=o*n[u]+a*n[l+u];n=h}),
n[0]}weights(t,e){let n=new Float64Array(this.sizes[t]).fill(1);return this.rows.sides[t].lower.forEach((r,i)=>{e&&(n[r]=e[i])}),n}},se=class{rows;constructor(t,e){
let n=t.values.length,r=e.map((i,o)=>t.coords.subarray(o*n,(o+1)*n));this.rows=new P(je(r,e),t.values)}answer(t){return Be(tr(this.rows,t.map(e=>this.rows.cover(
e))))}};function tr(s,t){return t.reduce((e,n)=>e+s.weighted(n).reduce((r,i)=>r+i,0),0)}function Ts(s,t,e){let n=new Float64Array(t);for(let r=0;r<t;r+=1)if(e[r]!==
0)for(let i=0;i<t;i+=1)n[i]+=e[r]*s[r*t+i];return n}function Rs(s,t){let e=t;return s.map(n=>{e/=n;let r=new Int32Array(t);for(let i=0;i<t;i+=1)r[i]=Math.floor(
i/e)%n;return r})}var ie=class{total;weights;bins;shares;below;masses;constructor({total:t,weights:e,edges:n,levels:r},i){this.total=t,this.weights=e,this.bins=n.map((o,a)=>Os(Float64Array.
from(o),i?.[a]??null)),this.shares=r.map(o=>Fs(o,e.length)),this.below=this.shares.map(o=>Ns(o,e.length)),this.masses=n.map(()=>new H(e.length))}mass(t,e){return this.
masses[t].of(e,()=>this.massOf(t,e))}massOf(t,e){let n=this.weights.length,r=this.bins[t].covered(e),i=new Float64Array(n);for(let o=0;o<r.length;o+=1){if(r[o]===
0)continue;let a=o;for(;o+1<r.length&&r[o]===1&&r[o+1]===1;)o+=1;a<o?Ls(i,this.below[t],a*n,(o+1)*n):rr(i,this.shares[t],o*n,r[o])}return i}components(t,e=[]){let n=this.
weights.map(r=>r*this.total);for(let r of Object.keys(t)){let i=Number(r);e.includes(i)||er(n,this.mass(i,t[i]))}return n}value(t){return nr(this.components(t))}addGrid(t,e,n,r,{
within:i=!1}={}){let o=e.map((p,d)=>this.bins[p].spread(n[d],i?r[p]??null:null)),a=this.weights.length,l=e.length-1,h=e.slice(0,l).map((p,d)=>Cs(this.shares[p],
o[d],n[d].length,a)),u=(p,d,g)=>{if(p===l){$s(t,d*n[l].length,this.shares[e[l]],o[l],g);return}for(let b=0;b<n[p].length;b+=1){let w=Float64Array.from(g);er(w,h[p].
subarray(b*a,(b+1)*a)),u(p+1,d*n[p].length+b,w)}},c=this.components(r,e);return e.length?u(0,0,c):t[0]+=nr(c),t}},oe=class extends P{constructor(e,n,r){super(e,
n);this.mixture=r}mixture;histogram(e,n,r){return this.mixture.addGrid(super.histogram(e,n,r),[e],[n],r)}grid(e,n,r,i){return this.mixture.addGrid(super.grid(e,
n,r,i),e,n,r,i)}};function Os(s,t){return new G(s.slice(0,-1),s.slice(1),new Int32Array(0),t)}function Fs(s,t){let e=s.length/t,n=new Float64Array(s.length);for(let r=0;r<
t;r+=1){let i=0;for(let o=0;o<e;o+=1)i+=s[r*e+o]**2;for(let o=0;o<e;o+=1)n[o*t+r]=s[r*e+o]**2/i}return n}function Ns(s,t){let e=new Float64Array(s.length+t);for(let n=0;n<
s.length;n+=1)e[n+t]=e[n]+s[n];return e}function Cs(s,{first:t,bin:e,share:n},r,i){let o=new Float64Array(r*i);for(let a=0;a<t.length-1;a+=1)for(let l=t[a];l<t[a+
1];l+=1)rr(o.subarray(e[l]*i,(e[l]+1)*i),s,a*i,n[l]);return o}function $s(s,t,e,{first:n,bin:r,share:i},o){let a=o.length;for(let l=0;l<n.length-1;l+=1){if(n[l]===
n[l+1])continue;let h=0;for(let u=0;u<a;u+=1)h+=o[u]*e[l*a+u];for(let u=n[l];u<n[l+1];u+=1)s[t+r[u]]+=h*i[u]}}function rr(s,t,e,n){for(let r=0;r<s.length;r+=1)s[r]+=
n*t[e+r]}function Ls(s,t,e,n){for(let r=0;r<s.length;r+=1)s[r]+=t[n+r]-t[e+r]}function er(s,t){for(let e=0;e<s.length;e+=1)s[e]*=t[e]}function nr(s){let t=0;for(let e=0;e<
s.length;e+=1)t+=s[e];return t}var Bs=4,Hs="no two of these attributes were measured together: the answer takes them as independent",ae=class{constructor(t,e,n,r){this.model=t;this.mixture=e;
this.sizes=n;this.record=r;this.within=e.bins.map((i,o)=>Ps(i,n[o])),this.figures=n.map(()=>new H(Bs))}model;mixture;sizes;record;within;figures;bounded(t){return Object.
keys(t).map(Number).filter(n=>!js(t[n],this.sizes[n]))}ofBoxes(t){let[e,n,r]=[0,0,!0];for(let i of t){let o=this.ofBox(i);e+=Math.sqrt(o.least),n+=Math.sqrt(o.rest),
r&&=o.byPair}return{least:e**2,rest:n**2,byPair:r}}ofBox(t){let e=this.bounded(t),n=new Map(e.map(p=>[p,this.along(p,t[p])])),r=this.mixture.total,i=1/0,o=0,{sum_power:a}=this.
model;for(let{axes:p,variance:d,dependence:g,misfit:b}of this.pairsIn(n)){let[w,x]=p.map(W=>this.along(W,t[W])),E=sr(n,p),I=this.scatter(r*(w.cut*x.share+x.cut*
w.share)),K=this.scatter(this.ofPair(t,p))*E*Math.max(1-E,0),F=b*d*(w.cells*x.cells)**a;i=Math.min(i,E**2*(F+I)+K),o=Math.max(o,E**2*g*r**2*Us(w,x))}let l=0;for(let[
p,{histogram:d}]of n)l+=d*sr(n,[p])**2;let{dependence_weight:h,histogram_weight:u}=this.model,c=e.length===2&&i<1/0;return{least:i,rest:h*o+u*l,byPair:c}}note(t,e){
let n=i=>i.size>1&&this.pairsIn(i).length===0,r=i=>new Set([...this.bounded(i),...e]);return t.some(i=>n(r(i)))?Hs:""}pairsIn(t){return this.model.pairs.filter(
({axes:[e,n]})=>t.has(e)&&t.has(n))}along(t,e){return this.figures[t].of(e,()=>this.figuresOf(t,e))}figuresOf(t,e){let n=this.within[t],r=this.mixture.bins[t].covered(
e),i={share:0,cells:0,cut:0,histogram:0};for(let l=0;l<r.length;l+=1)i.share+=n[l]*r[l],i.cells+=r[l]**2,i.cut+=n[l]*r[l]*(1-r[l]);let o=D(e),a=Math.max(0,Math.
min(o,this.sizes[t]-o));return i.histogram=(this.model.histogram_variances[t]??0)*a,i}ofPair(t,[e,n]){let{weights:r,total:i}=this.mixture,o=this.mixture.mass(e,
t[e]),a=this.mixture.mass(n,t[n]),l=0;for(let h=0;h<r.length;h+=1)l+=r[h]*o[h]*a[h];return i*l}scatter(t){return this.model.pair_scatter*z(t/this.record,this.model)*
this.record**2}};function Us(s,t){return s.share===0||t.share===0?0:Math.min(1,s.cut/s.share+t.cut/t.share)**2*s.share*t.share*(1-s.share)*(1-t.share)}function sr(s,t){
let e=1;for(let[n,{share:r}]of s)t.includes(n)||(e*=r);return e}function Ps(s,t){let e=s.mass?.reduce((r,i)=>r+i,0)??0,n=(r,i)=>e>0?(s.at(i)-s.at(r))/e:(i-r)/t;
return Float64Array.from(s.lower,(r,i)=>n(r,s.upper[i]))}function js(s,t){return s.length===1&&s[0][0]<=0&&s[0][1]>=t}var le=class extends ot{mixture;errorModel;pairs;constructor(t,e){let n=new ie(t.mixture,t.density);super(t,e,r=>new oe(r,t.corrections,n)),this.mixture=n,this.
errorModel=t.errorModel,this.pairs=new ae(t.errorModel,n,e,t.record)}answer(t,e=null){let{least:n,rest:r,cut:i,byPair:o}=this.told(t),a=o&&e!==null?null:this.summed(
t,e===null?1/0:n),l=e??t.reduce((p,d)=>p+this.mixture.value(d),a?.value??0),{errorModel:h}=this,u=a&&!o?a.noise+this.scattered(a,h)+this.cutOff(i,l,h):1/0,c=Math.
min(u,n)+r;return{...q(l,c,0,h.z),note:this.note(t)}}told(t){let e=t.length===1?this.pairs.bounded(t[0]):null;if(e===null||e.length>1)return{...this.pairs.ofBoxes(
t),cut:0};let[n,r]=this.ofHistogram(t[0],e,this.errorModel);return{least:n,rest:0,cut:r,byPair:!1}}note(t,e=[]){return this.pairs.note(t,e)}};var ir={u1:Uint8Array,f8:Float64Array,i4:Int32Array,i2:Int16Array,u2:Uint16Array,u4:Uint32Array};async function Gs(s){let t=Uint8Array.from(atob(s.data),n=>n.charCodeAt(
0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate"));return new ir[s.type](await new Response(e).arrayBuffer())}async function he(s){if(s===
null||typeof s!="object")return s;if(qs(s))return Gs(s);if(Array.isArray(s))return Promise.all(s.map(he));let t=Object.entries(s).map(async([e,n])=>[e,await he(
n)]);return Object.fromEntries(await Promise.all(t))}function qs(s){return"data"in s&&"type"in s&&String(s.type)in ir}var ue=class s{constructor(t,e){this.facts=t;this.content=e;this.attributes=t.axes.map((n,r)=>new Jt(n,r)),this.sizes=t.axes.map(n=>n.size),this.byName=new Map(
this.attributes.map(n=>[n.name,n]))}facts;content;attributes;sizes;byName;together=1;static async open(t){let e=t.axes.map(r=>r.size),n=t.content.mixture?"mixed":
t.content.kind;return new s(t,_s(n,await he(t.content),e))}answer(t,e){let n=this.content.answer(Array.isArray(t)?t:[t],e);if(n.low===null)return n;let r=this.together>
1?Le(n,n.reach*Rn(this.together)):n;return Fn(r,this.shortest)}get shortest(){let{shortest:t}=this.facts.privacy;return this.together>1?t*On(this.together):t}shareBounds(t,e){
return sn(t.value,this.reachOf(t),e.value,this.reachOf(e))}reachOf({reach:t,stderr:e}){return Math.max(t,e!==null&&e>0?this.shortest/2:0)}jointly(t){return Object.
assign(Object.create(s.prototype),this,{together:t})}note(t,e){return this.content.note?.(t,e)??""}histogram(t,e,n){return this.content.rows.histogram(t,e,n)}grid(t,e,n,r){
return this.content.rows.grid(t,e,n,r)}narrowed(t,e,n,{within:r=!1}={}){let i={...t};return e.forEach((o,a)=>{i[o]=bt(n[a],r?t[o]:void 0)}),i}};function _s(s,t,e){
return s==="mixed"?new le(t,e):s==="blocks"?new ot(t,e):s==="buckets"?new ne(t,e):s==="matrix"?new re(t,e):new se(t,e)}var Ds=["shown","map","group"];function ar(s,t){let e=s.engine.attributes.map(r=>r.name),n=new URLSearchParams;for(let[r,i]of Object.entries(s.filters))n.append(
`in.${e[Number(r)]}`,i.map(o=>o.join("~")).join(" "));for(let r of Ds)String(s[r])!==String(t[r])&&n.append(r,JSON.stringify(s[r].map(i=>e[i])));return String(s.
shares)!==String(t.shares)&&n.append("shares",s.shares.join(" ")),s.simultaneous&&n.append("simultaneous","true"),s.sql!==null&&n.append("sql",s.sql),n.toString()}
function De(s,t){let e={},n={filters:e};for(let[r,i]of new URLSearchParams(s.replace(/^#/,"")))if(r.startsWith("in.")){let o=t.byName.get(r.slice(3)),a=o&&Vs(i,
o.size);a&&(e[o.axis]=a)}else if(r==="shown"||r==="group")n[r]=or(i,t)??void 0;else if(r==="map"){let[o,a,...l]=or(i,t)??[];a!==void 0&&l.length===0&&(n.map=[o,
a])}else if(r==="shares"){let o=i.split(" ").map(Number);o.length<=20&&o.every(a=>a>=0&&a<=1)&&(n.shares=o)}else r==="simultaneous"?n.simultaneous=i==="true":r===
"sql"&&(n.sql=i.slice(0,5e4));return n}function Vs(s,t){let e=s===""?[]:s.split(" ").map(r=>r.split("~").map(Number));return e.every(r=>r.length===2&&r[0]>=0&&r[0]<
r[1]&&r[1]<=t)?R(e):null}function or(s,t){try{let e=JSON.parse(s),n=e.flatMap(r=>t.byName.get(r)?.axis??[]);return n.length===e.length?[...new Set(n)]:null}catch{
return null}}var ce=class{jobs=new Map;waiting=[];planned=!1;start(t,e,n=12){this.jobs.set(t,e),n>0&&this.turn(t,e,performance.now()+n),this.plan()}settled(){return this.jobs.
size===0?Promise.resolve():new Promise(t=>this.waiting.push(t))}plan(){if(this.jobs.size===0)for(let t of this.waiting.splice(0))t();else this.planned||(this.planned=
!0,setTimeout(()=>this.slice(),0))}slice(){this.planned=!1;let t=performance.now()+12;for(let[e,n]of[...this.jobs]){if(performance.now()>=t)break;this.turn(e,n,
t)}this.plan()}turn(t,e,n){for(;performance.now()<n;)if(e.next().done){this.jobs.get(t)===e&&this.jobs.delete(t);return}}};var zs=6,me=class{constructor(t){this.engine=t;this.restore({})}engine;shown;filters;map;group;shares;sql;simultaneous;listeners=[];restore({shown:t,filters:e,map:n,
group:r,shares:i,sql:o,simultaneous:a}){let l=this.engine.attributes.map(h=>h.axis);this.shown=t??l.slice(0,zs),this.filters=e??{},this.map=n??this.firstMap(),this.
group=r??[l[0]],this.shares=i??[.1,.25,.5,.75,.9],this.sql=o??null,this.simultaneous=a??!1}firstMap(){let t=this.engine.attributes.filter(r=>r.ordered&&r.count>
12),e=[...t.slice(0,1),...t.slice(1).slice(-1),...this.engine.attributes],n=[...new Set(e.map(r=>r.axis))];return[n[0],n[1]??n[0]]}onChange(t){this.listeners.push(
t)}changed(){for(let t of this.listeners)t()}filter(t,e){if(at(this.filters[t],e??void 0))return;let n=[[0,this.engine.attributes[t].size]],r={...this.filters};
e===null||at(e,n)?delete r[t]:r[t]=k(e,n),this.filters=r,this.changed()}clear(){this.filters={},this.changed()}engineFor(t){return this.simultaneous?this.engine.
jointly(t):this.engine}choose(t,e){Object.assign(this,{[t]:e}),this.changed()}};var Ks=8,Ve=class{constructor(t){this.engine=t;this.store=new me(t),this.first={...this.store},this.whole=t.answer({}),this.count=new Dt(this.store),this.picker=
new Wt(this.store),this.joint=new Qt(this.store),this.map=t.attributes.length>1?new Kt(this.store):null,this.groups=new Vt(this.store,this.scheduler),this.quantiles=
new Gt(this.store),this.sql=new Yt(this.store,this.scheduler)}engine;times=[];store;first;scheduler=new ce;whole;cards=new Map;count;picker;joint;grid=m("div",{
class:"cards"});map;groups;quantiles;sql;planned=!1;hash="";writing=0;start(t){let{facts:e}=this.engine,n=[Kn(e),m("header",{class:"title"},m("h1",{},e.title),m(
"p",{},Ws(e))),this.count.element,this.joint.element,this.picker.element,this.grid,m("div",{class:"panels"},this.map?.element,this.groups.element),this.quantiles.
element,this.sql.element,Wn(e)];t.replaceChildren(...n.filter(r=>r!==null)),this.store.restore(De(location.hash,this.engine)),this.store.onChange(()=>this.plan()),
window.addEventListener("hashchange",()=>this.readHash()),new ResizeObserver(()=>this.resize()).observe(this.grid),this.draw()}readHash(){location.hash.replace(
/^#/,"")!==this.hash&&(this.store.restore(De(location.hash,this.engine)),this.plan())}plan(){this.planned||(this.planned=!0,requestAnimationFrame(()=>{this.planned=
!1,this.draw()}))}draw(){let t=performance.now(),{filters:e,shown:n}=this.store;this.count.draw(this.engine.answer(e),this.whole),this.picker.draw(),this.joint.
draw(),this.arrange(n);for(let r of n){let i=this.cardOf(r);i.draw(this.engine.histogram(r,i.bins,e))}this.map?.draw(this.map.compute()),this.quantiles.draw(),this.
sql.draw(),this.scheduler.start("errors",this.errors(),Ks),this.writeHash(),this.times.push(performance.now()-t)}arrange(t){let e=t.map(r=>this.cardOf(r).element);
e.length===this.grid.childElementCount&&e.every((r,i)=>this.grid.children[i]===r)||(this.grid.replaceChildren(...e),this.resize())}cardOf(t){let e=this.cards.get(
t)??new _t(this.store,this.engine.attributes[t]);return this.cards.set(t,e),e}resize(){for(let t of this.store.shown)this.cards.get(t)?.resize();this.map?.resize()}*errors(){
let{engine:t}=this,{filters:e,shown:n}=this.store;this.groups.draw(),yield;for(let r of n){let i=this.cardOf(r),o=[],a=this.store.engineFor(i.bins.length);for(let[
h,u]of i.bins.entries())o.push(a.answer(t.narrowed(e,[r],[u]),i.values[h])),yield;let l=t.attributes[r].ordered?Et(t,r,[.25,.5,.75],e):[];i.drawErrors(o,l)}if(this.
map){let[r,i]=this.map.bins,o=[],a=this.store.engineFor(r.length*i.length);for(let l of r)for(let h of i){let u=this.map.values[o.length];o.push(a.answer(t.narrowed(
e,this.store.map,[l,h]),u)),yield}this.map.drawErrors(o)}yield*this.quantiles.fill()}writeHash(){this.hash=ar(this.store,this.first),clearTimeout(this.writing),
this.writing=window.setTimeout(()=>history.replaceState(null,"",this.hash?`#${this.hash}`:location.pathname+location.search),150)}async settled(){do await new Promise(
t=>requestAnimationFrame(()=>setTimeout(t,0))),await this.scheduler.settled();while(this.planned)}};function Ws({axes:s,rows:t,noun:e,privacy:n}){let r=n.warning?
"A view that is not private":"A differentially private view",i=`${s.length} ${s.length===1?"dimension":"dimensions"}`,o=Number(n.epsilon.toPrecision(6));return`${r}\
: ${i}, ${v(t)} ${e}, epsilon ${o}. Every number is an estimate with its error.`}function lr(s){let t=document.getElementById(s);if(!t)throw new Error(`the page\
 has no part ${s}`);return t}var dt=await ue.open(JSON.parse(lr("view").textContent)),ze=new Ve(dt);ze.start(lr("page"));var Qs={ready:!0,answer:s=>dt.answer(s),
histogram:(s,t,e)=>dt.histogram(s,t,e),quantiles:(s,t,e)=>j(St(dt,s,t,e)),sql:s=>{let{columns:t,rows:e}=$t(dt,s),n=(r,i)=>"text"in r?r.text(i):j(r.figure(i));return{
columns:t.map(({name:r})=>r),rows:e.map(r=>t.map(i=>n(i,r)))}},settled:()=>ze.settled(),times:ze.times};Object.assign(window,{ripost:Qs});
